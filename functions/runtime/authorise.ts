/** Who calls: key, project, origin and rate (docs/contract.md §4.2, rows 2 to 4). */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { type PresentedKey, parseAccessKey } from '../../shared/crypto/access-key.ts';
import type { ProjectSettings } from '../../shared/domain/project.ts';
import type { Count } from './pipeline.ts';
import type { Bucket, RateLimiter } from './rate-limiter.ts';
import type { SettingsCache } from './settings-cache.ts';

function readSecretKey({ headers }: APIGatewayProxyEventV2): string | undefined {
  const bearer = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  const service = headers['x-service-key']?.trim();
  if (bearer !== undefined && service !== undefined && bearer !== service) return undefined;
  return bearer ?? service;
}

/** A key that no project has: its project id is never given, and no text has its hash. */
export const NO_KEY: PresentedKey = { kind: 'publishable', projectId: 'nobody', hash: '' };

/** The well-formed key of the kind a route asks for, whether or not it exists; undefined otherwise. */
export function presentedKey(
  route: Route,
  event: APIGatewayProxyEventV2,
  fields: Readonly<Record<string, unknown>>,
  abbreviation: string,
): PresentedKey | undefined {
  const text = route.key === 'secret' ? readSecretKey(event) : fields.key;
  const key = typeof text === 'string' ? parseAccessKey(abbreviation, text) : undefined;
  return key?.kind === route.key ? key : undefined;
}

function isLive(settings: ProjectSettings | undefined, key: PresentedKey): settings is ProjectSettings {
  return settings?.keys.get(key.hash)?.kind === key.kind;
}

/** The settings of the project that owns the key, or undefined when the key is unknown, revoked or purged. */
export async function authenticate(
  key: PresentedKey,
  cache: SettingsCache,
): Promise<ProjectSettings | undefined> {
  const settings = await cache.load(key.projectId);
  if (isLive(settings, key)) return settings;
  const fresh = await cache.reload(key.projectId);
  return isLive(fresh, key) ? fresh : undefined;
}

/**
 * On publishable routes: the origin must be on the project's allow-list, when it has one and the key is not free of it,
 * and the project active.
 */
export function refuseOrigin(
  route: Route,
  event: APIGatewayProxyEventV2,
  { project, keys }: ProjectSettings,
  key: PresentedKey,
): Refusal | undefined {
  if (route.key !== 'publishable') return undefined;
  const { allowedOrigins } = project;
  const isBound = allowedOrigins.length > 0 && keys.get(key.hash)?.anyOrigin !== true;
  if (isBound && !allowedOrigins.includes(event.headers.origin ?? '')) {
    return refuse('origin_not_allowed');
  }
  return project.status === 'suspended' ? refuse('project_suspended') : undefined;
}

interface RateContext {
  readonly limiter: RateLimiter;
  /** Requests per second of one source address where the project sets none. */
  readonly defaultAddressRate: number;
  readonly now: number;
  readonly count: Count;
}

/** IPv6 hands whole networks to one subscriber: those count as one address. */
function networkOf(address: string): string {
  const groups = address.split(':');
  if (groups.length < 3) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter((group) => group !== '');
  const back = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? new Array<string>(8 - front.length - back.length).fill('0') : [];
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}

/** One permit of the source address first, so that one runaway page cannot spend the project's budget; then of the key. */
export async function refuseRate(
  route: Route,
  address: string,
  { project }: ProjectSettings,
  key: PresentedKey,
  { limiter, defaultAddressRate, now, count }: RateContext,
): Promise<Refusal | undefined> {
  if (route.rateLimited !== true) return undefined;
  const projectId = project.id;
  const buckets: Bucket[] = [{ kind: 'key', projectId, name: key.hash, rate: project.rates[key.kind] }];
  if (route.key === 'publishable') {
    const rate = project.rates.address ?? defaultAddressRate;
    buckets.unshift({
      kind: 'address',
      projectId,
      name: networkOf(address),
      rate,
    });
  }
  for (const bucket of buckets) {
    const admission = await limiter.take(bucket, now);
    if (admission.admitted) {
      if (admission.unmetered === true) count('unmetered');
      continue;
    }
    return refuse('rate_limited', { retryAfterSeconds: admission.retryAfterSeconds });
  }
  return undefined;
}
