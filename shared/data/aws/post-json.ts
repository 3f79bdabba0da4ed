/** One POST with time limits, without the weight of a client library. */

import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { currentDeadline } from '../table/deadline.ts';

export interface PostReply {
  readonly status: number;
  readonly body: string;
}

/** Named as the SDK names it, so that it is answered as a dependency's bad minute. */
const timeout = (): Error => Object.assign(new Error('no reply in time'), { name: 'TimeoutError' });

/**
 * Ends with the deadline of the work that it belongs to, too.
 * @param timeoutMs from the call to the whole reply
 * @throws Error `TimeoutError`, or of the socket with its `code`
 */
export function postJson(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs: number,
): Promise<PostReply> {
  const send = url.protocol === 'http:' ? plainRequest : secureRequest;
  return new Promise((resolve, reject) => {
    const signal = currentDeadline();
    const request = send(url, { method: 'POST', headers, ...(signal && { signal }) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        clearTimeout(timer);
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() });
      });
    });
    const timer = setTimeout(() => request.destroy(timeout()), timeoutMs);
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    request.end(body);
  });
}
