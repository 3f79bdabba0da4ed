/** Who may use the console of a project, as what, and by which name (docs/contract.md §20). */

import { listOf, oneOf, optional, shape, text, type ValueOf } from './stored-form.ts';

/** The company's OpenID provider, as its discovery document described it when an operator named it. */
export type ConsoleProvider = ValueOf<typeof isProvider>;
const isProvider = shape({
  issuer: text,
  /** The console's own: a public client, which has no secret. */
  clientId: text,
  authorizationEndpoint: text,
  tokenEndpoint: text,
  /** The address of its public keys. */
  jwks: text,
  /** The scopes that the page requests, separated by blanks. */
  scope: text,
});

/** Who sees what people wrote, and who they are: editors alone, or viewers as well. */
export const CONSOLE_COMMENTS = ['editors', 'all'] as const;
export type ConsoleComments = (typeof CONSOLE_COMMENTS)[number];

export const DEFAULT_GROUPS_CLAIM = 'groups';

/** How people sign in to a project's console and what they may do; without a provider nobody can sign in. */
export const CONSOLE_SETTINGS = {
  consoleProvider: optional(isProvider),
  /** `group:research`, `*@example.com`, `ann@example.com`. */
  consoleViewers: optional(listOf(text)),
  consoleEditors: optional(listOf(text)),
  /** The claim that holds a person's groups; defaults to `groups`. */
  consoleGroupsClaim: optional(text),
  /** Defaults to editors. */
  consoleComments: optional(oneOf(CONSOLE_COMMENTS)),
};
const isConsole = shape(CONSOLE_SETTINGS);
type ConsoleSettings = ValueOf<typeof isConsole>;

/** What a provider's token says of a person. */
export type Claims = Readonly<Record<string, unknown>>;

const GROUP = 'group:';
/** Everybody with a verified address of the domain. */
const ANYONE = '*';
const LONGEST_MEMBER = 256;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** ASCII alone: a letter of another alphabet may become one of it in lower case. */
const ADDRESS = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})+$`);

/** An entry of a list as it is compared; undefined where it is none. */
export function parseMember(text: string): string | undefined {
  const entry = text.trim();
  if (entry.length > LONGEST_MEMBER || /\p{Cc}/u.test(entry) || !entry.isWellFormed()) return undefined;
  if (entry.startsWith(GROUP)) return entry.length > GROUP.length ? entry : undefined;
  const address = toAddress(entry);
  const isPattern = address?.startsWith(`${ANYONE}@`) === true;
  return address?.slice(isPattern ? 1 : 0).includes(ANYONE) ? undefined : address;
}

export const isGroup = (member: string): boolean => member.startsWith(GROUP);

/** In lower case; undefined where it is no address of ASCII. */
function toAddress(text: string): string | undefined {
  // Before it is compared: the Kelvin sign, for one, is a "k" in lower case.
  if (!/^[\x21-\x7e]+$/.test(text)) return undefined;
  const address = text.toLowerCase();
  return ADDRESS.test(address) ? address : undefined;
}

/** Issuers of Microsoft Entra, in every cloud of it (learn.microsoft.com, "National clouds"). */
const ENTRA =
  /^https:\/\/(login\.(microsoftonline\.(com|us)|partner\.microsoftonline\.cn|chinacloudapi\.cn)|sts\.windows\.net|[^/]+\.ciamlogin\.com)\//;

/** Its e-mail is neither verified nor does it stay: lists for it hold groups alone. */
export const isEntra = (issuer: string): boolean => ENTRA.test(issuer);

/** The address that the provider has verified; undefined where it says no such thing. */
function verifiedAddress({ email, email_verified }: Claims, { issuer }: ConsoleProvider): string | undefined {
  if (isEntra(issuer) || email_verified !== true || typeof email !== 'string') return undefined;
  return toAddress(email);
}

/** Whole values: a text is one value, not several. */
function groupsIn(claims: Claims, claim: string): readonly unknown[] {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return Array.isArray(value) ? value : [value];
}

export const CONSOLE_ROLES = ['viewer', 'editor'] as const;
export type ConsoleRole = (typeof CONSOLE_ROLES)[number];

/** What a person may be, by lists and claims; undefined where no list has them. */
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

/**
 * Who did something: the verified address; else the provider's lasting id, behind a name that it gives. That name alone
 * could be anybody's: a person may be able to change it.
 */
export function personName(claims: Claims, provider: ConsoleProvider): string {
  const address = verifiedAddress(claims, provider);
  if (address !== undefined) return address;
  const sub = String(claims.sub);
  const name = claims.preferred_username;
  const isName = typeof name === 'string' && name.length <= LONGEST_NAME && /^[^\s\p{C}()]+$/u.test(name);
  return isName ? `${name} (${sub})` : `(${sub})`;
}
