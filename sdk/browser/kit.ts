/** What is fetched with thumbs, and is in the widget: what they share. */

import { createBox } from './box.ts';
import { drawing, element } from './element.ts';
import { createOutbox } from './outbox.ts';
import { spoken } from './spoken.ts';

export const kit = { createBox, createOutbox, drawing, element, spoken };

export type Kit = typeof kit;
