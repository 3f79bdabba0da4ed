import { expect, it } from 'vitest';
import { signRequest } from '../../../shared/crypto/sign-request.ts';

const HEADERS = {
  'content-type': 'application/x-amz-json-1.1',
  'x-amz-target': 'secretsmanager.GetSecretValue',
};

const REQUEST = {
  host: 'secretsmanager.eu-central-1.amazonaws.com',
  region: 'eu-central-1',
  service: 'secretsmanager',
  headers: HEADERS,
  body: '{"SecretId":"arn:ü"}',
};

/** What @smithy/signature-v4 5.7.5 makes of the same request. */
it.each([
  [
    undefined,
    'content-type;host;x-amz-date;x-amz-target',
    '1a04f21e20d7182fecfe7ded9dab29eaa745768e89a5c54865153c5ee29853a0',
  ],
  [
    'a/session+token=',
    'content-type;host;x-amz-date;x-amz-security-token;x-amz-target',
    '09ceae1c4980cfe1e93c609cc08a82f09d54b8884946afd7ee4fc2c05111bef0',
  ],
])('signs as the SDK does, session token %s', (sessionToken, signed, signature) => {
  const identity = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7' };
  const now = Date.parse('2026-11-20T09:30:00.000Z');
  const scope = 'AKIDEXAMPLE/20261120/eu-central-1/secretsmanager/aws4_request';
  expect(signRequest(REQUEST, { ...identity, ...(sessionToken && { sessionToken }) }, now)).toEqual({
    ...HEADERS,
    host: REQUEST.host,
    'x-amz-date': '20261120T093000Z',
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
    authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  });
});
