/**
 * Lambda measures a reply as JSON text, with the body as a string or base64, at most 6 MB (AWS quota: synchronous
 * invocation payload).
 */

import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { PAYLOAD_LIMIT_BYTES, type RawReply } from '../runtime/pipeline.ts';

/** Status, headers and punctuation around the body. */
const ENVELOPE_BYTES = 2_048;
const BODY_LIMIT_BYTES = PAYLOAD_LIMIT_BYTES - ENVELOPE_BYTES;
/** Base64 encodes three bytes as four characters. */
const GZIP_LIMIT_BYTES = Math.floor(BODY_LIMIT_BYTES / 4) * 3;

const HEADERS = { 'content-type': 'application/json', vary: 'accept-encoding' } as const;

export interface ExportBody {
  /** @returns false once it can no longer fit */
  write(json: string): Promise<boolean>;
  end(): Promise<RawReply | undefined>;
}

const escapedBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - '""'.length;

export function createPlainBody(): ExportBody {
  const pieces: string[] = [];
  let bytes = 0;
  return {
    async write(json) {
      pieces.push(json);
      bytes += escapedBytes(json);
      return bytes <= BODY_LIMIT_BYTES;
    },
    async end() {
      return bytes <= BODY_LIMIT_BYTES ? { raw: pieces.join(''), headers: HEADERS } : undefined;
    },
  };
}

export function createGzipBody(): ExportBody {
  const gzip = createGzip();
  const compressed: Buffer[] = [];
  let bytes = 0;
  gzip.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= GZIP_LIMIT_BYTES) compressed.push(chunk);
  });
  return {
    async write(json) {
      if (!gzip.write(json)) await once(gzip, 'drain');
      return bytes <= GZIP_LIMIT_BYTES;
    },
    async end() {
      gzip.end();
      await once(gzip, 'end');
      if (bytes > GZIP_LIMIT_BYTES) return undefined;
      const raw = Buffer.concat(compressed).toString('base64');
      return { raw, headers: { ...HEADERS, 'content-encoding': 'gzip' }, isBase64Encoded: true };
    },
  };
}
