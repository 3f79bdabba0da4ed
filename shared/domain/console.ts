/** docs/contract.md §20. */

import { listOf, oneOf, optional, shape, text, type ValueOf } from './stored-form.ts';

/** A command of the operator reads these values from the provider's discovery document. */
export type ConsoleProvider = ValueOf<typeof isProvider>;
const isProvider = shape({
  issuer: text,
  /** A public client has no secret. */
  clientId: text,
  authorizationEndpoint: text,
  tokenEndpoint: text,
  jwks: text,
  /** The scopes are separated by spaces. */
  scope: text,
});

export const CONSOLE_COMMENTS = ['editors', 'all'] as const;
export type ConsoleComments = (typeof CONSOLE_COMMENTS)[number];

export const DEFAULT_GROUPS_CLAIM = 'groups';

/** Nobody can sign in without a provider. */
export const CONSOLE_SETTINGS = {
  consoleProvider: optional(isProvider),
  /** `group:research`, `*@example.com`, `ann@example.com`. */
  consoleViewers: optional(listOf(text)),
  consoleEditors: optional(listOf(text)),
  consoleGroupsClaim: optional(text),
  consoleComments: optional(oneOf(CONSOLE_COMMENTS)),
};
const isConsole = shape(CONSOLE_SETTINGS);
type ConsoleSettings = ValueOf<typeof isConsole>;

export type Claims = Readonly<Record<string, unknown>>;

const GROUP = 'group:';
/** In `*@example.com`, anyone with a verified address of the domain. */
const ANYONE = '*';
const LONGEST_MEMBER = 256;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Requires ASCII, because lower-casing turns some other letters into ASCII ones. */
const ADDRESS = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})+$`);

export function parseMember(text: string): string | undefined {
  const entry = text.trim();
  if (entry.length > LONGEST_MEMBER || /\p{Cc}/u.test(entry) || !entry.isWellFormed()) return undefined;
  if (entry.startsWith(GROUP)) return entry.length > GROUP.length ? entry : undefined;
  const address = toAddress(entry);
  const isPattern = address?.startsWith(`${ANYONE}@`) === true;
  return address?.slice(isPattern ? 1 : 0).includes(ANYONE) ? undefined : address;
}

export const isGroup = (member: string): boolean => member.startsWith(GROUP);

function toAddress(text: string): string | undefined {
  // This check precedes lower-casing, which turns the Kelvin sign into "k".
  if (!/^[\x21-\x7e]+$/.test(text)) return undefined;
  const address = text.toLowerCase();
  return ADDRESS.test(address) ? address : undefined;
}

/** Covers all clouds (learn.microsoft.com, "National clouds"). */
const ENTRA =
  /^https:\/\/(login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|chinacloudapi\.cn)|sts\.windows\.net|[^/]+\.ciamlogin\.com)\//;

/** Entra does not verify email addresses, so its lists contain only groups. */
export const isEntra = (issuer: string): boolean => ENTRA.test(issuer);

function verifiedAddress({ email, email_verified }: Claims, { issuer }: ConsoleProvider): string | undefined {
  if (isEntra(issuer) || email_verified !== true || typeof email !== 'string') return undefined;
  return toAddress(email);
}

function groupsIn(claims: Claims, claim: string): readonly unknown[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return Array.isArray(value) ? value : [value];
}

export const CONSOLE_ROLES = ['viewer', 'editor'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

export function roleOf(
  { consoleViewers = [], consoleEditors = [], consoleGroupsClaim = DEFAULT_GROUPS_CLAIM }: ConsoleSettings,
  provider: ConsoleProvider,
  claims: Claims,
): ConsoleRole | undefined {
  const groups = groupsIn(claims, consoleGroupsClaim);
  const address = verifiedAddress(claims, provider);
  const domain = address?.slice(address.lastIndexOf('@'));
  const isListed = (members: readonly string[]) =>
    members.some((member) =>
      isGroup(member)
        ? groups.includes(member.slice(GROUP.length))
        : address !== undefined && (member === address || member === `${ANYONE}${domain}`),
    );
  if (isListed(consoleEditors)) return 'editor';
  return isListed(consoleViewers) ? 'viewer' : undefined;
}

const LONGEST_NAME = 100;

/** The permanent id is part of the name, because people may be able to change their name. */
export function personName(claims: Claims, provider: ConsoleProvider): string {
  const address = verifiedAddress(claims, provider);
  if (address !== undefined) return address;
  const sub = String(claims.sub);
  const name = claims.preferred_username;
  const isName = typeof name === 'string' && name.length <= LONGEST_NAME && /^[^\s\p{C}()]+$/u.test(name);
  return isName ? `${name} (${sub})` : `(${sub})`;
}
