/** Uses parts that the DynamoDB client brings into every bundle anyway. */

import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** AWS Signature Version 4. */
export type SignPost = (post: Post) => Promise<Readonly<Record<string, string>>>;

interface FunctionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export function functionCredentials(): FunctionCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '',
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** @param service name in signatures: `lambda`, `logs` */
export function createPostSigner(
  service: string,
  region = process.env.AWS_REGION ?? '',
  now: () => number = Date.now,
  credentials: () => Promise<FunctionCredentials> = async () => functionCredentials(),
): SignPost {
  const signer = new SignatureV4({
    service,
    region,
    sha256: Sha256,
    credentials,
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
