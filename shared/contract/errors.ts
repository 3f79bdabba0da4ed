/** docs/contract.md §4. Messages never quote a key, a token or another tenant's data. */

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

export const NOT_WELL_FORMED = 'must be well-formed Unicode';

export const MESSAGE_OF: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is not valid. `issues` lists what to change.',
  rating_out_of_range: "The rating is outside the scale of this survey's type.",
  ambiguous_erase:
    'Choose exactly one: respondentId and/or email, surveySlug, or account=true, without other parameters. Nothing was erased.',
  export_too_large: 'The export does not fit in one reply. Page it with `limit` and `cursor`.',
  invalid_key: 'The key is missing or not valid for this route.',
  invalid_identity: 'The userToken is not valid, has expired, or names another person.',
  not_permitted: 'You are signed in, but you do not have permission to do this in the project.',
  invalid_token: 'The show-token is not valid here. Ask for a new one.',
  token_expired: 'The show-token has expired. Ask for a new one.',
  token_mismatch: 'The show-token was issued for another survey or session.',
  origin_not_allowed: "This origin is not on the project's allow-list.",
  project_suspended: 'The project is suspended.',
  not_found: 'This path does not exist.',
  sign_in_not_found: 'The project does not exist, or its console has no sign-in.',
  preview_not_found: 'The preview does not exist or has expired. Create another one in the console.',
  survey_not_found: 'The project has no such survey.',
  respondent_not_found: 'The project has never seen this respondent.',
  response_not_found: 'The answer does not exist or was erased.',
  token_used: 'The show-token was already used. `details` names the answer.',
  revision_conflict:
    'The answer has another revision, or this revision has other content. `details` has the current revision.',
  surveys_changed:
    'Somebody else changed the surveys. `details` has the current revision. Nothing was stored.',
  rate_limited: 'Too many requests. Wait for the seconds in `Retry-After`.',
  internal_error: 'The service failed. Report the request id.',
  temporarily_unavailable:
    'The service could not answer in time. Nothing was stored. Try again after the seconds in `Retry-After`.',
};

export interface Issue {
  /** A dotted path, which is empty for the whole body. */
  readonly path: string;
  readonly message: string;
}

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

/** A schema with a description for the OpenAPI document. */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  schema.check(z.meta({ description }));

// Pure, so that other bundles drop zod.
const serviceError = /* @__PURE__ */ once(() =>
  z
    .object({
      code: described(z.string(), 'The error code. It is stable, so programs can rely on it.'),
      message: described(z.string(), 'An explanation for developers. It can change at any time.'),
      requestId: described(z.string(), 'The id of the request, as in the header `x-request-id`.'),
      issues: z.exactOptional(
        described(
          z.array(z.object({ path: z.string(), message: z.string() })),
          'The fields that are invalid. Present only with status 400.',
        ),
      ),
      details: z.exactOptional(
        described(
          z.record(z.string(), z.union([z.string(), z.number()])),
          'Details of the error. With `token_used`: `id`, `at` and `kind` of the answer that used the token, and `by: other-token` if the answer was sent with another token that has the same number. With `revision_conflict` and `surveys_changed`: the current `revision`.',
        ),
      ),
    })
    .check(z.meta({ id: 'ServiceError' })),
);

export const errorReply = /* @__PURE__ */ once(() => z.object({ error: serviceError() }));
