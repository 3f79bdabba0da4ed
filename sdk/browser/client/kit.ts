import { createBox } from '../widget/box.ts';
import { drawing, element } from '../widget/element.ts';
import { spoken } from '../widget/page-language.ts';
import { createOutbox } from './outbox.ts';

export const kit = { createBox, createOutbox, drawing, element, spoken };

export type Kit = typeof kit;
