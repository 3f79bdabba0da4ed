/** AWS Signature Version 4 (AWS General Reference) of a POST to the root of a service. */

import { createHash, createHmac } from 'node:crypto';

export interface AwsIdentity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export interface UnsignedRequest {
  readonly host: string;
  readonly region: string;
  readonly service: string;
  /** Names in lower case, without `host` and `x-amz-date`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * The headers to send, signature included.
 * @param now milliseconds since the epoch
 */
export function signRequest(
  { host, region, service, headers, body }: UnsignedRequest,
  { accessKeyId, secretAccessKey, sessionToken }: AwsIdentity,
  now: number,
): Record<string, string> {
  const moment = new Date(now).toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = moment.slice(0, 8);
  const sent: Record<string, string> = {
    ...headers,
    host,
    'x-amz-date': moment,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(sent).sort();
  const canonicalHeaders = names.map((name) => `${name}:${sent[name]?.trim()}\n`).join('');
  const signed = names.join(';');
  const canonical = ['POST', '/', '', canonicalHeaders, signed, sha256(body)].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const dayKey = hmac(`AWS4${secretAccessKey}`, day);
  const key = hmac(hmac(hmac(dayKey, region), service), 'aws4_request');
  const signature = hmac(key, ['AWS4-HMAC-SHA256', moment, scope, sha256(canonical)].join('\n'));
  return {
    ...sent,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature.toString('hex')}`,
  };
}
