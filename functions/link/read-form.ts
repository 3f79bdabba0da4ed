/** Reading what a browser posts from a form (`application/x-www-form-urlencoded`; in base64 in a gateway's event). */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import * as z from 'zod/mini';
import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import { BODY_LIMIT_BYTES } from '../../shared/contract/http.ts';
import { linkForm } from '../../shared/contract/link-schemas.ts';
import type { Submission } from '../../shared/domain/answers/answer.ts';
import { readQuery } from '../runtime/input/query-parameters.ts';
import { utf8Text } from '../runtime/input/utf8-text.ts';

/** Fields that are left empty are absent. Who leaves an address wants to be contacted. */
export function readForm({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): Submission | Refusal {
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  if (bytes.length > BODY_LIMIT_BYTES) return refuse('invalid_request');
  const given = [...readQuery(utf8Text(bytes))].map(([name, [value = '']]) => [name, value] as const);
  const filled = Object.fromEntries(given.filter(([, value]) => value.trim() !== ''));
  const parsed = z.safeParse(linkForm(), filled);
  if (!parsed.success) return refuse('invalid_request');
  const { rating, text, contact } = parsed.data;
  return { rating, text, contact, followUpRequested: contact === undefined ? undefined : true };
}
