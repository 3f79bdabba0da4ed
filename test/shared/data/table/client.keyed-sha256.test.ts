import { createHash, createHmac } from 'node:crypto';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { expect, it } from 'vitest';
import { KeyedSha256 } from '../../../../shared/data/table/client.ts';

const SECRET = 'a secret of some length';
const BYTES = new TextEncoder().encode(SECRET);

it.each([
  ['text', SECRET],
  ['bytes', BYTES],
  ['a view of bytes', new DataView(BYTES.buffer)],
  ['a buffer of bytes', BYTES.buffer],
])('returns the HMAC when keyed by %s', async (_, secret) => {
  for (let again = 0; again < 2; again += 1) {
    const hash = new KeyedSha256(secret);
    hash.update('one ');
    hash.update(Buffer.from('two'));
    expect(await hash.digest()).toEqual(createHmac('sha256', SECRET).update('one two').digest());
  }
});

it('returns the hash without a key', async () => {
  const hash = new KeyedSha256();
  hash.update('text');
  expect(await hash.digest()).toEqual(createHash('sha256').update('text').digest());
});

it("signs a request like the SDK's own class", async () => {
  const signedBy = async (sha256: typeof Sha256 | typeof KeyedSha256) => {
    const credentials = { accessKeyId: 'id', secretAccessKey: SECRET, sessionToken: 'session' };
    const signer = new SignatureV4({ service: 'dynamodb', region: 'eu-west-1', sha256, credentials });
    const request = new HttpRequest({ method: 'POST', hostname: 'h', headers: { host: 'h' }, body: '{}' });
    return (await signer.sign(request, { signingDate: new Date(0) })).headers.authorization;
  };
  expect(await signedBy(KeyedSha256)).toBe(await signedBy(Sha256));
});
