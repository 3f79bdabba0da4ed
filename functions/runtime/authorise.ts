/** See docs/contract.md §4.2, rows 2 to 4. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { type Refusal, refuse } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import type { PresentedKey } from '../../shared/crypto/access-key.ts';
import type { UnsealedShowToken } from '../../shared/crypto/show-token-seal.ts';
import {
  DEFAULT_GENUINE_RATES,
  hasScope,
  isExpired,
  type KeyScope,
  type ProjectSettings,
  READER_RATE,
} from '../../shared/domain/project.ts';
import type { Service } from './compose.ts';
import type { Count } from './pipeline.ts';
import type { Bucket, RateLimiter } from './rate-limiter.ts';
import type { SettingsCache } from './settings-cache.ts';

interface WrongKeyContext {
  /** Local to the instance, because a shared limiter would write for every refused request. */
  readonly limiter: RateLimiter;
  readonly rate: number;
  readonly now: number;
}

export async function refuseKey(
  route: Route,
  address: string,
  { limiter, rate, now }: WrongKeyContext,
): Promise<Refusal> {
  if (route.rateLimited !== true) return refuse('invalid_key');
  const bucket = strangerBucket(address, rate);
  return (await refuseBeyond([bucket], { limiter, now, count: () => undefined })) ?? refuse('invalid_key');
}

export async function authenticate(
  key: PresentedKey,
  { scope, now }: { readonly scope: KeyScope | undefined; readonly now: number },
  cache: SettingsCache,
  refuseWrongKey: () => Promise<Refusal>,
): Promise<ProjectSettings | Refusal> {
  const opens = (settings: ProjectSettings | undefined): settings is ProjectSettings => {
    const stored = settings?.keys.get(key.hash);
    return stored?.kind === key.kind && hasScope(stored, scope) && !isExpired(stored, now);
  };
  const settings = await cache.load(key.projectId);
  if (opens(settings)) return settings;
  const refusal = await refuseWrongKey();
  if (refusal.refused !== 'invalid_key') return refusal;
  const fresh = await cache.reload(key.projectId);
  return opens(fresh) ? fresh : refusal;
}

export function refuseOrigin(
  route: Route,
  event: APIGatewayProxyEventV2,
  { project, keys }: ProjectSettings,
  key: PresentedKey,
): Refusal | undefined {
  if (route.key !== 'publishable') return undefined;
  const { allowedOrigins } = project;
  const isPage = key.kind === 'publishable';
  const isBound = isPage && allowedOrigins.length > 0 && keys.get(key.hash)?.anyOrigin !== true;
  if (isBound && !allowedOrigins.includes(event.headers.origin ?? '')) {
    return refuse('origin_not_allowed');
  }
  return project.status === 'suspended' ? refuse('project_suspended') : undefined;
}

interface RateContext {
  readonly limiter: RateLimiter;
  readonly now: number;
  readonly count: Count;
}

/** The first bucket that is empty refuses the request. */
export async function refuseBeyond(
  buckets: readonly Bucket[],
  { limiter, now, count }: RateContext,
): Promise<Refusal | undefined> {
  for (const bucket of buckets) {
    const admission = await limiter.take(bucket, now);
    if (!admission.admitted)
      return refuse('rate_limited', { retryAfterSeconds: admission.retryAfterSeconds });
    if (admission.unmetered === true) count('unmetered');
  }
  return undefined;
}

/** Subscribers with IPv6 have a whole network each. */
function networkOf(address: string): string {
  const groups = address.split(':');
  if (groups.length < 3) return address;
  const [head = '', tail = ''] = address.split('::');
  const front = head.split(':').filter((group) => group !== '');
  const back = tail.split(':').filter((group) => group !== '');
  const zeros = address.includes('::') ? new Array<string>(8 - front.length - back.length).fill('0') : [];
  return `${[...front, ...zeros, ...back].slice(0, 4).join(':')}::/64`;
}

export const strangerBucket = (address: string, rate: number): Bucket => ({
  kind: 'address',
  projectId: '',
  name: networkOf(address),
  rate,
});

interface Caller {
  readonly route: Route;
  readonly project: ProjectSettings['project'];
  readonly address: string;
  readonly keyName: string;
  readonly defaultAddressRate: number;
}

/** The bucket of the source address comes first, so one runaway page cannot use up the project's rate. */
export function publicBuckets({
  route,
  project: { id: projectId, rates },
  address,
  keyName,
  defaultAddressRate,
}: Caller): Bucket[] {
  const { bucket: of, share = 1 } = route.ownRate ?? {};
  const addressRate = (rates.address ?? defaultAddressRate) * share;
  return [
    { kind: 'address', projectId, of, name: networkOf(address), rate: addressRate },
    { kind: 'key', projectId, of, name: keyName, rate: rates.publishable * share },
  ];
}

/** See docs/contract.md §12. */
function genuineBuckets({ project: { id: projectId, rates }, address, keyName }: Caller): Bucket[] {
  const of = 'GENUINE';
  const { genuineAddress = DEFAULT_GENUINE_RATES.address, genuine = DEFAULT_GENUINE_RATES.key } = rates;
  return [
    { kind: 'address', projectId, of, name: networkOf(address), rate: genuineAddress },
    { kind: 'key', projectId, of, name: keyName, rate: genuine },
  ];
}

export interface PresentedToken {
  readonly projectId: string;
  readonly showToken: string;
  readonly unsealed: () => Promise<UnsealedShowToken | undefined>;
  readonly surveyId?: string;
  readonly now: number;
  readonly service: Service;
}

/** Answers with genuine tokens that are admitted beyond the route's rate (docs/contract.md §12). */
export interface Genuine {
  readonly unseal: (token: Omit<PresentedToken, 'unsealed'>) => ReturnType<PresentedToken['unsealed']>;
  readonly couldStore: (presented: PresentedToken) => Promise<boolean>;
  readonly passes: (presented: PresentedToken) => boolean;
  readonly note: (presented: PresentedToken, reply: object) => void;
}

/** A request that cannot store anything is counted in memory only, so refusing it makes no call. */
export async function refuseAnswer(
  genuine: Genuine,
  presented: PresentedToken | undefined,
  caller: Caller,
  rates: RateContext & { readonly memory: RateLimiter },
): Promise<Refusal | undefined> {
  if (presented === undefined || !(await genuine.couldStore(presented))) {
    return refuseBeyond(publicBuckets(caller), { ...rates, limiter: rates.memory });
  }
  const limited = await refuseBeyond(publicBuckets(caller), rates);
  if (limited === undefined || !genuine.passes(presented)) return limited;
  return refuseBeyond(genuineBuckets(caller), rates);
}

export function serverBucket(
  { id: projectId, rates }: Caller['project'],
  { kind, hash }: PresentedKey,
): Bucket {
  const rate = kind === 'secret' ? { rate: rates.secret } : READER_RATE;
  return { kind: 'key', projectId, name: hash, ...rate };
}
