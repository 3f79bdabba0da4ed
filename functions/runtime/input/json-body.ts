/** Reading a request's body: decoded, within the size limit, parsed. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { invalid, type Refusal } from '../../../shared/contract/errors.ts';
import { BODY_LIMIT_BYTES } from '../../../shared/contract/http.ts';
import { utf8Text } from './utf8-text.ts';

/** The one refusal of everything that is no JSON object. */
export const notAnObject = (): Refusal => invalid('', 'the body must be a JSON object');

/**
 * The body as JSON; an empty one is `{}`. Keys such as `__proto__` become plain properties, which no code here merges
 * into anything: an answer is not lost for one among its traits.
 */
export function readBody(event: APIGatewayProxyEventV2): { readonly value: unknown } | Refusal {
  const encoding = event.isBase64Encoded ? 'base64' : 'utf8';
  const size = Buffer.byteLength(event.body ?? '', encoding);
  if (size > BODY_LIMIT_BYTES) return invalid('', `the body must be at most ${BODY_LIMIT_BYTES} bytes`);
  const text = event.isBase64Encoded ? utf8Text(Buffer.from(event.body ?? '', 'base64')) : (event.body ?? '');
  if (text.trim() === '') return { value: {} };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return notAnObject();
  }
}
