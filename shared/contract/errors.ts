/** Every refusal the service can give: one union of codes, mapped to a status once (docs/contract.md §4). */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';

export const STATUS_OF = {
  invalid_request: 400,
  rating_out_of_range: 400,
  ambiguous_erase: 400,
  export_too_large: 400,
  invalid_key: 401,
  invalid_identity: 401,
  invalid_token: 401,
  token_expired: 401,
  token_mismatch: 401,
  not_permitted: 403,
  origin_not_allowed: 403,
  project_suspended: 403,
  not_found: 404,
  sign_in_not_found: 404,
  preview_not_found: 404,
  survey_not_found: 404,
  respondent_not_found: 404,
  response_not_found: 404,
  token_used: 409,
  revision_conflict: 409,
  surveys_changed: 409,
  rate_limited: 429,
  internal_error: 500,
  temporarily_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS_OF;

/** What an issue says of text with a lone surrogate. */
export const NOT_WELL_FORMED = 'must be well-formed Unicode';

/** What people read. It never quotes a key, a token or another tenant's data. */
export const MESSAGE_OF: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is not valid; `issues` says what to change.',
  rating_out_of_range: "The rating lies outside the scale of this survey's type.",
  ambiguous_erase:
    'Choose exactly one: respondentId and/or email, surveySlug alone, or account=true; no other parameter. Nothing was erased.',
  export_too_large: 'The export does not fit in one reply; page it with `limit` and `cursor`.',
  invalid_key: 'The key is missing or not valid for this route.',
  invalid_identity:
    'The userToken does not say who this is: it is not valid, has expired, or names another person.',
  not_permitted: 'You are signed in, but the lists of the project do not let you do this.',
  invalid_token: 'The show-token is not valid here; ask for a new one.',
  token_expired: 'The show-token has expired; ask for a new one.',
  token_mismatch: 'The show-token was issued for another survey or session.',
  origin_not_allowed: "This origin is not on the project's allow-list.",
  project_suspended: 'The project is suspended.',
  not_found: 'There is no such path.',
  sign_in_not_found: 'There is no such project, or nobody signs in to its console.',
  preview_not_found: 'There is no such preview, or its hour is over; make another one in the console.',
  survey_not_found: 'The project has no such survey.',
  respondent_not_found: 'The project has never seen this respondent.',
  response_not_found: 'There is no such answer, or it was erased.',
  token_used: 'The show-token has been used; `details` says by what.',
  revision_conflict:
    'The answer is not at the revision before this one, or this one says something else; `details` says where it is.',
  surveys_changed:
    'Somebody else changed the surveys; `details` says at which revision they are. Nothing was stored.',
  rate_limited: 'Too many requests; wait as `Retry-After` says, in seconds.',
  internal_error: 'Something failed on our side; quote the request id.',
  temporarily_unavailable:
    'The service could not answer in time; nothing was stored. Try again as `Retry-After` says.',
};

export interface Issue {
  /** Dotted path of the field, empty for the whole body. */
  readonly path: string;
  readonly message: string;
}

/** A refusal as a value: handlers return it, the pipeline shapes it. */
export interface Refusal {
  readonly refused: ErrorCode;
  readonly issues?: readonly Issue[];
  readonly details?: Readonly<Record<string, string | number>>;
  readonly retryAfterSeconds?: number;
}

export function refuse(code: ErrorCode, more: Omit<Refusal, 'refused'> = {}): Refusal {
  return { refused: code, ...more };
}

export function invalid(path: string, message: string): Refusal {
  return refuse('invalid_request', { issues: [{ path, message }] });
}

export function isRefusal(reply: object): reply is Refusal {
  return 'refused' in reply;
}

// Marked as pure: otherwise every function would contain it, and zod with it.
const serviceError = /* @__PURE__ */ once(() =>
  z
    .object({
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
              'Of `token_used`: `id`, `at` and `kind` of what used the token. Of `revision_conflict` and `surveys_changed`: `revision`, the current one.',
          }),
        ),
      ),
    })
    .check(z.meta({ id: 'ServiceError' })),
);

/** The body of every refusal (docs/contract.md §4.1). */
export const errorReply = /* @__PURE__ */ once(() => z.object({ error: serviceError() }));
