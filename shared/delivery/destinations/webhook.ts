/** Signed by the Standard Webhooks scheme. */

import type { DeliveryOptions, Destination, Outcome, PushedScore, Withdrawal } from './destination.ts';
import { postJson } from './request.ts';

/** Options of the webhook destination. */
export interface WebhookOptions {
  /** The address that receives a POST for each score. */
  readonly url: string;
  /** `whsec_` and 24 to 64 bytes in base64. During a rotation, each secret signs the message. */
  readonly secret: string | readonly string[];
  /** Sends the free text; defaults to true. */
  readonly includeText?: boolean;
  /** Defaults to the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** Milliseconds since the epoch. Defaults to the clock. */
  readonly now?: () => number;
}

const SCORE_TYPE = 'canvass.score';
const WITHDRAWAL_TYPE = 'canvass.score.withdrawn';
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

interface Message {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: object;
}

/** Receivers drop messages whose id they have already processed. */
const messageId = (id: string, revision: number): string => (revision === 0 ? id : `${id}.${revision}`);

function scoreMessage(score: PushedScore, includeText: boolean): Message {
  const data = includeText ? score : { ...score, text: null };
  const { id, revision = 0, revisedAt, at } = score;
  return { id: messageId(id, revision), type: SCORE_TYPE, timestamp: revisedAt ?? at, data };
}

function withdrawalMessage({ id, revision }: Withdrawal, now: number): Message {
  const own = revision === undefined ? `${id}.erased` : messageId(id, revision);
  const data = { id, ...(revision !== undefined && { revision }) };
  return { id: own, type: WITHDRAWAL_TYPE, timestamp: new Date(now).toISOString(), data };
}

/**
 * A repeated message has the same `webhook-id`: the response's id, followed by the revision number if there is one.
 * Any 2xx is a delivery.
 * @throws TypeError for an invalid URL or secret
 */
export function createWebhookDestination(options: WebhookOptions): Destination {
  const { includeText = true, now = Date.now } = options;
  const url = new URL(options.url).href;
  const keys = (typeof options.secret === 'string' ? [options.secret] : options.secret).map(keyBytes);
  if (keys.length === 0) throw new TypeError('a webhook needs a secret');

  async function post({ id, ...message }: Message, delivery: DeliveryOptions): Promise<Outcome> {
    const body = JSON.stringify(message);
    const sentAt = now();
    const timestamp = String(Math.floor(sentAt / 1_000));
    const signatures = await Promise.all(keys.map((key) => sign(key, `${id}.${timestamp}.${body}`)));
    return postJson({
      ...delivery,
      url,
      headers: {
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': signatures.join(' '),
      },
      body,
      fetch: options.fetch ?? fetch,
      now: sentAt,
    });
  }

  return {
    name: 'webhook',
    categories: true,
    deletes: true,
    deliver: (score, delivery) => post(scoreMessage(score, includeText), delivery),
    withdraw: (withdrawal, delivery) => post(withdrawalMessage(withdrawal, now()), delivery),
  };
}
