/** Anything else as a destination: a POST signed by the Standard Webhooks scheme. */

import type { PendingScore } from './contract-types.ts';
import type { Destination } from './destination.ts';
import { postJson } from './post-json.ts';

export interface WebhookOptions {
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes as base64. Several while they rotate: each signs. */
  readonly secret: string | readonly string[];
  /** Whether the free text goes along; by default it does. */
  readonly includeText?: boolean;
  readonly fetch?: typeof fetch;
  readonly now?: () => number;
}

/** The `type` of every message. */
const MESSAGE_TYPE = 'canvass.score';
const SECRET_BYTES = { min: 24, max: 64 } as const;

const toBytes = (binary: string) => Uint8Array.from(binary, (character) => character.charCodeAt(0));

function keyBytes(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret)?.[1];
  const bytes = base64 === undefined || base64.length % 4 !== 0 ? undefined : toBytes(atob(base64));
  if (bytes === undefined || bytes.length < SECRET_BYTES.min || bytes.length > SECRET_BYTES.max) {
    throw new TypeError('a webhook secret is `whsec_` and 24 to 64 bytes as base64');
  }
  return bytes;
}

async function sign(key: Uint8Array<ArrayBuffer>, content: string): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign']);
  const mac = await crypto.subtle.sign('HMAC', imported, new TextEncoder().encode(content));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(mac)))}`;
}

function composeMessage(score: PendingScore, includeText: boolean): string {
  const data = includeText ? score : { ...score, text: null };
  return JSON.stringify({ type: MESSAGE_TYPE, timestamp: score.at, data });
}

/**
 * `webhook-id` is the response's id and stays the same when a score comes again: receivers tell repeats by it. Any 2xx
 * is a delivery.
 * @throws TypeError when the URL or a secret is not one
 */
export function createWebhookDestination(options: WebhookOptions): Destination {
  const { includeText = true, now = Date.now } = options;
  const url = new URL(options.url).href;
  const keys = (typeof options.secret === 'string' ? [options.secret] : options.secret).map(keyBytes);
  if (keys.length === 0) throw new TypeError('a webhook needs a secret');
  return {
    name: 'webhook',
    async deliver(score, delivery) {
      const body = composeMessage(score, includeText);
      const sentAt = now();
      const timestamp = String(Math.floor(sentAt / 1_000));
      const signatures = await Promise.all(keys.map((key) => sign(key, `${score.id}.${timestamp}.${body}`)));
      return postJson({
        ...delivery,
        url,
        headers: {
          'webhook-id': score.id,
          'webhook-timestamp': timestamp,
          'webhook-signature': signatures.join(' '),
        },
        body,
        fetch: options.fetch ?? fetch,
        now: sentAt,
      });
    },
  };
}
