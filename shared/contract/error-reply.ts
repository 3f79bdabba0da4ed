/** What every refusal replies. */

import * as z from 'zod/mini';
import { once } from '../domain/once.ts';

/** The body of every refusal (docs/contract.md §4.1). */
export const errorReply = once(() =>
  z
    .object({
      error: z.object({
        code: z.string().check(z.meta({ description: 'Stable; what programs decide by.' })),
        message: z.string().check(z.meta({ description: 'For people; its wording may change.' })),
        requestId: z.string().check(z.meta({ description: 'Also in the header `x-request-id`.' })),
        issues: z.exactOptional(
          z
            .array(z.object({ path: z.string(), message: z.string() }))
            .check(
              z.meta({ description: 'Of a 400: which field, as a dotted path, and what is wrong with it.' }),
            ),
        ),
        details: z.exactOptional(
          z.record(z.string(), z.union([z.string(), z.number()])).check(
            z.meta({
              description:
                'Of `token_used`: `id`, `at` and `kind` of what used the token. Of `revision_conflict`: `revision`, the current one.',
            }),
          ),
        ),
      }),
    })
    .check(z.meta({ id: 'ErrorReply' })),
);
