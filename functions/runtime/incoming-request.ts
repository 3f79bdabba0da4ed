import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type * as z from 'zod/mini';
import { isRefusal, type Refusal } from '../../shared/contract/errors.ts';
import { isOfPeople, type ReadInput, type Route, scopeOf } from '../../shared/contract/route.ts';
import {
  type ClaimedKey,
  checkAccessKey,
  type PresentedKey,
  parseAccessKey,
} from '../../shared/crypto/access-key.ts';
import { deriveKeyId } from '../../shared/domain/ids.ts';
import {
  hasScope,
  type KeyKind,
  type KeyScope,
  type ProjectSettings,
  signedInScopes,
} from '../../shared/domain/project.ts';
import { authenticate, refuseKey } from './authorise.ts';
import { clock, type Service, secrets } from './compose.ts';
import { wrongKeyLimiter } from './rate-limiter.ts';
import { parseInput, readInput, viewerAddress } from './request-input.ts';
import { projectSettings } from './settings-cache.ts';

function readSecretKey({ headers }: APIGatewayProxyEventV2): string | undefined {
  const bearer = /^bearer +(.*)$/i.exec(headers.authorization ?? '')?.[1]?.trim();
  const service = headers['x-service-key']?.trim();
  if (bearer !== undefined && service !== undefined && bearer !== service) return undefined;
  return bearer ?? service;
}

export const isOpenTo = ({ readers, editors }: Route, kind: KeyKind | undefined): boolean =>
  (kind === 'reader' && readers === true) || (kind === 'editor' && (readers === true || editors === true));

export function claimedKey(
  route: Route,
  event: APIGatewayProxyEventV2,
  fields: Readonly<Record<string, unknown>>,
  abbreviation: string,
): ClaimedKey | undefined {
  // Pages may send an `Authorization` header for other purposes.
  const isServer = route.key === 'secret' || (route.serverScope !== undefined && fields.key === undefined);
  const text = isServer ? readSecretKey(event) : fields.key;
  const key = typeof text === 'string' ? parseAccessKey(abbreviation, text) : undefined;
  const isMeant = key?.kind === (isServer ? 'secret' : 'publishable') || isOpenTo(route, key?.kind);
  return isMeant ? key : undefined;
}

/** These values are not verified yet. */
export interface ClaimedPerson {
  readonly projectId: string;
  readonly token: string;
}

function claimedPerson(route: Route, event: APIGatewayProxyEventV2): ClaimedPerson | undefined {
  const projectId = event.headers['x-canvass-project']?.trim() ?? '';
  const token = event.headers.authorization === undefined ? undefined : readSecretKey(event);
  if (!isOfPeople(route) || token === undefined || !/^[a-z0-9]{1,32}$/.test(projectId)) return undefined;
  return /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token) ? { projectId, token } : undefined;
}

export interface CallerKey extends PresentedKey {
  /** The recorded name. If it is set, `hash` is derived from the subject of the person's token. */
  readonly person?: string;
}

export interface Identified {
  readonly settings: ProjectSettings;
  readonly key: CallerKey;
}

export interface SignInRequest {
  readonly route: Route;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly address: string;
  readonly now: number;
  readonly service: Service;
}

export type SignIn = (claimed: ClaimedPerson, request: SignInRequest) => Promise<Identified | Refusal>;

export interface IncomingRequest<Input> {
  readonly projectId: string;
  readonly isKeyed: boolean;
  readonly address: string | undefined;
  readonly fields: Readonly<Record<string, unknown>>;
  /** A refusal is returned only after the caller is admitted (docs/contract.md §4.2, row 5). */
  readonly parsed: { readonly input: Input } | Refusal;
  /** Returns the refusals of docs/contract.md §4.2, rows 2 and 2a. */
  readonly identify: () => Promise<Identified | Refusal>;
}

export interface InputOf<Input extends z.ZodMiniObject> {
  readonly input: () => Input;
  readonly serverInput?: () => z.ZodMiniType<z.output<Input>>;
  readonly readInput?: (fields: Readonly<Record<string, unknown>>) => ReadInput<z.output<Input>>;
}

export async function readRequest<Input extends z.ZodMiniObject>(
  route: InputOf<Input> & Route,
  service: Service,
  event: APIGatewayProxyEventV2,
  body: unknown,
  signIn: SignIn | undefined,
): Promise<IncomingRequest<z.output<Input>> | Refusal> {
  const { fields, malformed, conflict } = readInput(route, event, body);
  if (malformed !== undefined) return malformed;
  const { keyAbbreviation, edge, defaultAddressRate } = service.config;
  // Requests that bypass CloudFront also bypass the firewall.
  const address = viewerAddress(event, edge);
  const claimed = address === undefined ? undefined : claimedKey(route, event, fields, keyAbbreviation);
  const refuseWrongKey = () =>
    refuseKey(route, address ?? event.requestContext.http.sourceIp, {
      limiter: wrongKeyLimiter(service),
      rate: defaultAddressRate,
      now: clock(service)(),
    });
  const now = clock(service)();
  const key = claimed && checkAccessKey(await secrets(service).hashSecret(), claimed);
  if (key !== undefined) {
    const schema = (key.kind === 'secret' && route.serverInput?.()) || route.input();
    const needed = { scope: scopeOf(route, key.kind, fields), now };
    return {
      projectId: key.projectId,
      isKeyed: true,
      address,
      fields,
      parsed: conflict ?? parseInput(schema, fields, route.readInput),
      async identify() {
        const settings = await authenticate(key, needed, projectSettings(service), refuseWrongKey);
        return isRefusal(settings) ? settings : { settings, key };
      },
    };
  }
  const person = claimedPerson(route, event);
  if (person === undefined || signIn === undefined || address === undefined) return refuseWrongKey();
  return {
    projectId: person.projectId,
    isKeyed: false,
    address,
    fields,
    parsed: conflict ?? parseInput(route.input(), fields, route.readInput),
    identify: () => signIn(person, { route, fields, address, now, service }),
  };
}

export const whoCalls = ({ person, hash }: CallerKey): string => person ?? deriveKeyId(hash);

export function callerMay(
  { kind, hash, person }: CallerKey,
  scope: KeyScope,
  settings: ProjectSettings,
): boolean {
  if (person === undefined) {
    const key = settings.keys.get(hash);
    return key !== undefined && hasScope(key, scope);
  }
  return signedInScopes(kind === 'editor' ? 'editor' : 'reader', settings.project).includes(scope);
}
