/** See docs/contract.md §20.2. */

import { isRefusal, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { scopeOf } from '../../shared/contract/route.ts';
import { keyedHash } from '../../shared/crypto/derive.ts';
import { personName, roleOf } from '../../shared/domain/console.ts';
import { HOUR, SECOND } from '../../shared/domain/duration.ts';
import { consoleProviderOf, signedInScopes } from '../../shared/domain/project.ts';
import { refuseBeyond, strangerBucket } from '../runtime/authorise.ts';
import { secrets } from '../runtime/compose.ts';
import {
  type ClaimedPerson,
  type Identified,
  isOpenTo,
  type SignInRequest,
} from '../runtime/incoming-request.ts';
import { wrongKeyLimiter } from '../runtime/rate-limiter.ts';
import { projectSettings } from '../runtime/settings-cache.ts';
import { isTokenText, type Verified, verifyProviderToken } from './provider-token.ts';

/** The oldest accepted sign-in. People who leave the team lose access after this time. */
const OLDEST_MS = 12 * HOUR;
const AHEAD_MS = 30 * SECOND;
const LONGEST_SUBJECT = 255;

/** See OpenID Connect Core 1.0, 3.1.3.7; RFC 9068; Cognito's `token_use`. */
function isForConsole({ payload, header }: Verified, clientId: string, now: number): boolean {
  const { sub, aud, azp, iat, exp, token_use: use = 'id' } = payload;
  const isOfClient = azp === clientId || (azp === undefined && (!Array.isArray(aud) || aud.length === 1));
  const isIdToken = use === 'id' && !/at\+jwt$/i.test(header.typ ?? '');
  const isNamed = typeof sub === 'string' && sub !== '' && sub.length <= LONGEST_SUBJECT;
  const age = typeof iat === 'number' ? now - iat * SECOND : Number.NaN;
  return isOfClient && isIdToken && isNamed && Number.isFinite(exp) && age <= OLDEST_MS && age >= -AHEAD_MS;
}

async function identify(
  { projectId, token }: ClaimedPerson,
  { route, fields, now, service }: SignInRequest,
): Promise<Identified | Refusal> {
  if (!isTokenText(token)) return refuse('invalid_key');
  const settings = await projectSettings(service).load(projectId);
  const provider = settings && consoleProviderOf(settings.project);
  if (settings === undefined || provider === undefined) return refuse('invalid_key');
  const issuing = { ...provider, audience: provider.clientId };
  const verified = await verifyProviderToken(token, issuing, { now, service });
  if (verified === undefined || !isForConsole(verified, provider.clientId, now)) return refuse('invalid_key');
  const { payload } = verified;
  const role = roleOf(settings.project, provider, payload);
  if (role === undefined) return refuse('not_permitted');
  const kind = role === 'editor' ? 'editor' : 'reader';
  const needed = scopeOf(route, kind, fields);
  const isAllowed = needed === undefined || signedInScopes(kind, settings.project).includes(needed);
  if (!isAllowed || !isOpenTo(route, kind)) return refuse('not_permitted');
  const secret = await secrets(service).hashSecret();
  const hash = keyedHash(secret, 'console-person', projectId, String(payload.sub)).toString('hex');
  return { settings, key: { kind, projectId, hash, person: personName(payload, provider) } };
}

export async function signIn(claimed: ClaimedPerson, request: SignInRequest): Promise<Identified | Refusal> {
  const { address, now, service } = request;
  const bucket = { ...strangerBucket(address, service.config.defaultAddressRate), of: 'SIGN_IN' };
  const limiter = wrongKeyLimiter(service);
  const limited = await refuseBeyond([bucket], { limiter, now, count: () => undefined });
  if (limited !== undefined) return limited;
  const identified = await identify(claimed, request);
  if (!isRefusal(identified)) limiter.giveBack(bucket);
  return identified;
}
