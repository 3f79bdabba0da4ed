/** A POST under the function's own identity, with the parts that the DynamoDB client brings into every bundle anyway. */

import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { functionCredentials } from './function-credentials.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers of a POST with its signature among them (AWS Signature Version 4). */
export type SignPost = (post: Post) => Promise<Readonly<Record<string, string>>>;

/** @param service as signatures name it: `lambda`, `logs` */
export function createPostSigner(
  service: string,
  region = process.env.AWS_REGION ?? '',
  now: () => number = Date.now,
): SignPost {
  const signer = new SignatureV4({
    service,
    region,
    sha256: Sha256,
    credentials: async () => functionCredentials(),
  });
  return async ({ url, headers, body }) => {
    const { protocol, hostname, port, pathname, host } = new URL(url);
    const request = new HttpRequest({
      method: 'POST',
      protocol,
      hostname,
      ...(port !== '' && { port: Number(port) }),
      path: pathname,
      headers: { ...headers, host },
      body,
    });
    const signed = await signer.sign(request, { signingDate: new Date(now()) });
    const { host: _, ...sent } = signed.headers;
    return sent;
  };
}
