/** What the JSON body parser needs around it: a size limit before, our refusal instead of its error after. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { invalid, type Refusal } from '../../shared/contract/errors.ts';
import { BODY_LIMIT_BYTES } from '../../shared/contract/http.ts';
import { utf8Text } from './utf8-text.ts';

/** Prepares the body for parsing: decoded; too large is a refusal, an empty one is `{}`. */
export function admitBody(event: APIGatewayProxyEventV2): Refusal | undefined {
  const encoding = event.isBase64Encoded ? 'base64' : 'utf8';
  const size = Buffer.byteLength(event.body ?? '', encoding);
  if (size > BODY_LIMIT_BYTES) return invalid('', `the body must be at most ${BODY_LIMIT_BYTES} bytes`);
  const text = event.isBase64Encoded ? utf8Text(Buffer.from(event.body ?? '', 'base64')) : (event.body ?? '');
  event.body = text.trim() === '' ? '{}' : text;
  event.isBase64Encoded = false;
  return undefined;
}

/** Whether an error is the body parser's: what was sent is not JSON, or names a key that no object may have. */
export function isBodyParseError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { cause } = error;
  return (
    typeof cause === 'object' &&
    cause !== null &&
    'package' in cause &&
    cause.package === '@middy/http-json-body-parser'
  );
}
