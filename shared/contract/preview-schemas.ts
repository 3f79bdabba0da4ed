/** docs/contract.md §21.5. */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { described } from './described.ts';
import { timestamp } from './fields.ts';
import type { ReadInput } from './route.ts';
import { surveyOfFile } from './survey-file.ts';
import { readWritten } from './survey-file-problems.ts';

export const createPreviewInput = once(() => z.object({ survey: surveyOfFile }));

export const createPreviewReply = once(() =>
  z.object({
    preview: described(z.string(), 'Add it to a page’s address: `?canvass-preview=…`.'),
    expiresAt: timestamp(),
  }),
);

type CreatePreviewInput = z.output<ReturnType<typeof createPreviewInput>>;

export const readCreatePreview = (fields: Readonly<Record<string, unknown>>): ReadInput<CreatePreviewInput> =>
  readWritten(createPreviewInput(), fields, 'survey');
