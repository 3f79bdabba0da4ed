import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { toUint8Array } from '@smithy/core/serde';
import { toKeyObject } from '../../crypto/key-object.ts';

function toKey(secret: string | ArrayBuffer | ArrayBufferView) {
  if (typeof secret === 'string') return secret;
  return toKeyObject(secret instanceof Uint8Array ? secret : toUint8Array(secret));
}

/**
 * SHA-256 as an AWS client signs with it. The key of a day's signatures becomes a key object, once: given its bytes, Node
 * 24 throws and catches two errors in every signature (docs/decisions/0043-prepared-calls.md).
 */
export class KeyedSha256 {
  readonly #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', toKey(secret));
  }

  update(data: string | Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}
