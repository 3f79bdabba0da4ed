/**
 * Keys are cached for ten minutes, or longer while the provider is unreachable. Without any keys, requests fail with
 * 503.
 */

import type { JSONWebKeySet } from 'jose';
import { currentDeadline } from '../../shared/data/table/deadline.ts';
import { MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { BoundedMap } from '../../shared/domain/memory.ts';
import { clock, part } from '../runtime/compose.ts';

const LIFETIME_MS = 10 * MINUTE;
/** Unknown key ids and outages must not cause a fetch for every request. */
const RETRY_INTERVAL_MS = 10 * SECOND;
const MOST_PROVIDERS = 100;

/** Used as a map key, so the object stays the same while it is cached. */
export type Jwks = JSONWebKeySet;

export interface JwksCache {
  load(address: string): Promise<Jwks>;
  reload(address: string): Promise<Jwks>;
}

interface Entry {
  jwks?: Jwks;
  readAt: number;
  triedAt: number;
  failure?: Error;
  reading?: Promise<void>;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isJwks = (value: unknown): value is Jwks =>
  isObject(value) && 'keys' in value && Array.isArray(value.keys) && value.keys.every(isObject);

const unreachable = (cause: unknown): Error =>
  Object.assign(new Error('the keys of an identity provider cannot be read', { cause }), {
    $fault: 'server',
  });

function createJwksCache(clock: () => number): JwksCache {
  const entries = new BoundedMap<string, Entry>(MOST_PROVIDERS);

  async function ask(address: string): Promise<Jwks> {
    const jwks = await readJson(address);
    if (!isJwks(jwks)) throw new Error('the reply is not a JWKS');
    return jwks;
  }

  async function read(address: string, entry: Entry): Promise<void> {
    entry.triedAt = clock();
    try {
      entry.jwks = await ask(address);
      entry.readAt = clock();
      delete entry.failure;
    } catch (error) {
      entry.failure = unreachable(error);
    }
  }

  async function refresh(address: string): Promise<Entry> {
    const entry = entries.get(address) ?? { readAt: 0, triedAt: Number.NEGATIVE_INFINITY };
    entries.set(address, entry);
    if (entry.reading === undefined && clock() - entry.triedAt < RETRY_INTERVAL_MS) return entry;
    entry.reading ??= read(address, entry).finally(() => delete entry.reading);
    await entry.reading;
    return entry;
  }

  return {
    async load(address) {
      const known = entries.get(address);
      if (known?.jwks !== undefined && clock() - known.readAt < LIFETIME_MS) return known.jwks;
      const { jwks, failure } = await refresh(address);
      if (jwks === undefined) throw failure;
      return jwks;
    },

    async reload(address) {
      const { jwks, failure } = await refresh(address);
      if (failure !== undefined || jwks === undefined) throw failure;
      return jwks;
    },
  };
}

export const jwks = /* @__PURE__ */ part((service) => createJwksCache(clock(service)));

const TIMEOUT_MS = 2 * SECOND;
const MOST_BYTES = 256 * 1_024;

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) throw new Error(`it has more than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export async function readJson(address: string): Promise<unknown> {
  const limits = [AbortSignal.timeout(TIMEOUT_MS), currentDeadline()];
  const reply = await fetch(address, {
    signal: AbortSignal.any(limits.filter((limit) => limit !== undefined)),
    redirect: 'error',
    headers: { accept: 'application/json' },
  });
  if (!reply.ok) throw new Error(`HTTP ${reply.status}`);
  const document: unknown = JSON.parse(await readText(reply));
  return document;
}
