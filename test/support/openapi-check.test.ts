import { expect, it } from 'vitest';
import { submitResponse } from '../../shared/contract/examples/sdk-examples.ts';
import { refusalExample } from '../../shared/contract/openapi/openapi-replies.ts';
import { checkExchange, type Exchange } from './openapi-check.ts';

const HEADERS = { 'content-type': 'application/json', 'x-request-id': 'r-1' };

function anExchange(overrides: Partial<Exchange> = {}): Exchange {
  return {
    method: 'POST',
    path: '/v1/sdk/responses',
    requestBody: JSON.stringify(submitResponse.input),
    status: 201,
    headers: HEADERS,
    text: JSON.stringify(submitResponse.reply),
    ...overrides,
  };
}

it('accepts an exchange that conforms to the document', () => {
  expect(() => checkExchange(anExchange())).not.toThrow();
  const refusal = { status: 409, text: JSON.stringify(refusalExample('token_used')) };
  expect(() => checkExchange(anExchange(refusal))).not.toThrow();
  const limited = { status: 429, text: JSON.stringify(refusalExample('rate_limited')) };
  expect(() =>
    checkExchange(anExchange({ ...limited, headers: { ...HEADERS, 'retry-after': '1' } })),
  ).not.toThrow();
});

it.each<[string, Partial<Exchange>, RegExp]>([
  ['an undeclared status', { status: 418 }, /not declared/],
  ['a missing field', { text: '{"ok":true,"id":"x"}' }, /required property 'at'/],
  ['an undeclared field', { text: JSON.stringify({ ...submitResponse.reply, more: 1 }) }, /additional/],
  ['a wrong type', { text: JSON.stringify({ ...submitResponse.reply, ok: 'yes' }) }, /data\/ok/],
  ['a missing request id', { headers: { 'content-type': 'application/json' } }, /x-request-id/],
  ['another content type', { headers: { ...HEADERS, 'content-type': 'text/html' } }, /content type/],
  [
    'a code of another status',
    { status: 409, text: JSON.stringify(refusalExample('invalid_key')) },
    /data\/error\/code/,
  ],
  [
    '429 without Retry-After',
    { status: 429, text: JSON.stringify(refusalExample('rate_limited')) },
    /retry-after/,
  ],
  ['an unknown path answered 200', { path: '/v2', text: JSON.stringify(refusalExample('not_found')) }, /404/],
  ['a request that it accepts and the document does not', { requestBody: '{"rating":1}' }, /the request/],
])('reports %s', (_, overrides, message) => {
  expect(() => checkExchange(anExchange(overrides))).toThrow(message);
});
