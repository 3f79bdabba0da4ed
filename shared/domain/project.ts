/** Projects are the unit of isolation. Settings and defaults: docs/contract.md §5.2, §8 and §12. */

import { CONSOLE_SETTINGS, type ConsoleProvider } from './console.ts';
import { DAY, SECOND } from './duration.ts';
import type { Generations } from './results/generation.ts';
import { completeFromOf, type Retention } from './retention.ts';
import { changeOf, flag, listOf, number, oneOf, optional, shape, text, type ValueOf } from './stored-form.ts';
import type { Survey } from './surveys/survey.ts';
import type { SurveyMark } from './surveys/survey-change.ts';

export const KEY_KINDS = ['publishable', 'secret', 'reader', 'editor'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Scopes of secret keys; each route requires one (docs/contract.md §5.1). */
export const KEY_SCOPES = [
  'mint',
  'scores',
  'results',
  'comments',
  'privacy',
  'account',
  'contacts',
  'surveys',
] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** Scopes that a key must list. They are newer than keys without a list, which must not gain them. */
const BY_NAME: readonly KeyScope[] = ['contacts', 'surveys'];

/** Scopes of a secret key without a list. */
export const ALL_SCOPES: readonly KeyScope[] = KEY_SCOPES.filter((scope) => !BY_NAME.includes(scope));

/** Zero disables a rule; an absent quota is unlimited. */
const LIMITS = {
  quietPeriodMs: number,
  /** Defaults to the quiet period. */
  quietAfterDismissalMs: optional(number),
  /** Accepted answers and dismissals per respondent in 30 days. */
  monthlyCap: number,
  /** Accepted responses of the project per UTC month. */
  monthlyQuota: optional(number),
  /** Shows of one survey per respondent within the window. */
  maxShows: optional(number),
  showWindowMs: optional(number),
};
export type ProjectLimits = ValueOf<typeof isLimits>;
const isLimits = shape(LIMITS);

/** Requests per second; burst is twice that; zero disables a limit. */
const RATES = {
  publishable: number,
  secret: number,
  /** Per source address on publishable routes; defaults to the deployment's. */
  address: optional(number),
  /** Answers with genuine tokens above these limits, per publishable key and per source address. */
  genuine: optional(number),
  genuineAddress: optional(number),
};
export type ProjectRates = ValueOf<typeof isRates>;
const isRates = shape(RATES);

/** Whether bootstrap trusts the page about the person or requires a signed token (docs/identity.md). */
export const IDENTITY_MODES = ['off', 'required'] as const;
export type IdentityMode = (typeof IDENTITY_MODES)[number];

/** Survey types served to clients that do not list what they can draw. */
export const TYPES_UNLESS_SAID = ['first-four', 'all'] as const;
export type TypesUnlessSaid = (typeof TYPES_UNLESS_SAID)[number];

/** Signs users' tokens in place of the project's own server. */
export type IdentityProvider = ValueOf<typeof isIdentityProvider>;
const isIdentityProvider = shape({
  jwks: text,
  /** Required `iss` and `aud`. */
  issuer: text,
  audience: text,
});

/** Signs users' tokens on the project's server. */
export interface IdentitySecret {
  readonly id: string;
  readonly createdAt: string;
  /** Encrypted with the deployment's hash secret. */
  readonly sealed: string;
}

/** Settings that an operator changes. A new setting needs a line here and an entry in bin/admin/project-settings.ts. */
export const PROJECT_SETTINGS = {
  name: text,
  /** Respondents see this name; defaults to `name`. */
  displayName: optional(text),
  /** `#rrggbb`; defaults to the accent of Canvass. */
  accent: optional(text),
  status: oneOf(['active', 'suspended']),
  /** Exact origins; empty allows any. */
  allowedOrigins: listOf(text),
  limits: isLimits,
  rates: isRates,
  tokenLifetimeMs: number,
  /** Default lifetime of links. */
  linkLifetimeMs: optional(number),
  /** Whether shows are recorded; defaults to true. */
  impressions: optional(flag),
  /** Whether texts are redacted; defaults to false. */
  redact: optional(flag),
  /** Absent in projects older than the setting: all. */
  typesUnlessSaid: optional(oneOf(TYPES_UNLESS_SAID)),
  /** Defaults to off. */
  identity: optional(oneOf(IDENTITY_MODES)),
  /** When set, only its tokens are valid. */
  identityProvider: optional(isIdentityProvider),
  /** Fewest ratings shown to readers without the `comments` scope; defaults to 1. */
  smallestCell: optional(number),
  ...CONSOLE_SETTINGS,
};
export type ProjectSettingValues = ValueOf<typeof isProjectSettings>;
export const isProjectSettings = shape(PROJECT_SETTINGS);

export type ProjectChange = ValueOf<typeof isProjectChange>;
export const isProjectChange = changeOf({
  ...PROJECT_SETTINGS,
  limits: changeOf(LIMITS),
  rates: changeOf(RATES),
});

export interface Project extends ProjectSettingValues {
  readonly id: string;
  /** The synthetic monitor uses this project. Its answers expire, are not counted and emit no events. */
  readonly probe?: true | undefined;
  /** A survey may set a shorter period. Absent: forever. */
  readonly retention?: Retention | undefined;
  readonly createdAt: string;
  /** Set when an account purge begins. All keys of the project are then invalid. */
  readonly purgedAt?: string | undefined;
}

/** Undefined if its client is the one whose tokens the project's users hold. */
export const consoleProviderOf = ({
  consoleProvider,
  identityProvider,
}: Pick<Project, 'consoleProvider' | 'identityProvider'>): ConsoleProvider | undefined =>
  consoleProvider?.clientId === identityProvider?.audience ? undefined : consoleProvider;

/** docs/contract.md §19.2. */
export interface Appearance {
  readonly name: string;
  readonly accent: string | undefined;
}

export const appearanceOf = ({ name, displayName = name, accent }: Project): Appearance => ({
  name: displayName,
  accent,
});

/** Longest time that a function instance caches settings (docs/contract.md §5.2). */
export const SETTINGS_LIFETIME_MS = 30 * SECOND;

export const DEFAULT_LIMITS: ProjectLimits = { quietPeriodMs: 7 * DAY, monthlyCap: 3 };
export const DEFAULT_RATES: ProjectRates = { publishable: 200, secret: 100 };
export const DEFAULT_GENUINE_RATES = { key: 1_000, address: 100 } as const;
/**
 * For each reader and editor key and each signed-in person, whatever the project's rates, because result links get
 * shared.
 */
export const READER_RATE = { rate: 10, burst: 50 } as const;
/** New projects may have clients that cannot draw newer types. */
export const DEFAULT_TYPES_UNLESS_SAID: TypesUnlessSaid = 'first-four';
/** Also for projects older than the setting. */
const DEFAULT_MAX_SHOWS = 3;
const DEFAULT_SHOW_WINDOW_MS = 30 * DAY;

export const quietAfterDismissalOf = ({ quietAfterDismissalMs, quietPeriodMs }: ProjectLimits): number =>
  quietAfterDismissalMs ?? quietPeriodMs;

export const maxShowsOf = ({ maxShows = DEFAULT_MAX_SHOWS }: ProjectLimits): number => maxShows;

export const showWindowOf = ({ showWindowMs = DEFAULT_SHOW_WINDOW_MS }: ProjectLimits): number =>
  showWindowMs;

/** A tab may stay open over a weekend. */
export const DEFAULT_TOKEN_LIFETIME_MS = 3 * DAY;
/** Of every show-token, including those of links. Key retirement, folding and notes depend on the maximum. */
export const TOKEN_LIFETIME_RANGE_MS = { min: SECOND, max: 30 * DAY } as const;

const DEFAULT_LINK_LIFETIME_MS = 7 * DAY;

export const linkLifetimeOf = ({
  linkLifetimeMs = DEFAULT_LINK_LIFETIME_MS,
}: Pick<Project, 'linkLifetimeMs'>): number => linkLifetimeMs;

export interface ProjectKey {
  readonly id: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key, lower-case hex. The key itself is never stored. */
  readonly hash: string;
  readonly createdAt: string;
  /**
   * An absent list on a secret key means `ALL_SCOPES`. Reader keys have `results`, `comments` or both; editor keys also
   * `contacts` and `surveys`.
   */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** ISO 8601 UTC, exclusive. Only reader and editor keys expire. */
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string | undefined;
  /** A publishable key exempt from the allowed origins: an app sends no `Origin`. */
  readonly anyOrigin?: true | undefined;
}

/**
 * Scopes of a person's key.
 * @param comments whether the key shows comments and people
 */
export const personScopes = (kind: 'reader' | 'editor', comments: boolean): readonly KeyScope[] => [
  'results',
  ...(comments ? (['comments'] as const) : []),
  ...(kind === 'editor' ? (['contacts', 'surveys'] as const) : []),
];

export const signedInScopes = (
  kind: 'reader' | 'editor',
  { consoleComments }: Pick<Project, 'consoleComments'>,
): readonly KeyScope[] => personScopes(kind, kind === 'editor' || consoleComments === 'all');

export function isExpired({ expiresAt }: ProjectKey, now: number): boolean {
  return expiresAt !== undefined && now >= Date.parse(expiresAt);
}

export function hasScope({ scopes }: ProjectKey, scope: KeyScope | undefined): boolean {
  return scope === undefined || (scopes ?? ALL_SCOPES).includes(scope);
}

/** Accepted responses, counted from the table's stream. The counts are soft (docs/contract.md §8). */
export interface Totals {
  readonly bySurvey: ReadonlyMap<string, number>;
  /** By UTC month, `2026-11`. */
  readonly byMonth: ReadonlyMap<string, number>;
  /** Responses in each survey's results, including imports; decreases with erasures. */
  readonly answered?: ReadonlyMap<string, number> | undefined;
  /** Absent for surveys in their first generation. */
  readonly generations?: ReadonlyMap<string, Generations> | undefined;
}

/** Everything about its project that a request needs; cached for at most 30 s per function instance. */
export interface ProjectSettings {
  readonly project: Project;
  /** Valid keys by hash. */
  readonly keys: ReadonlyMap<string, ProjectKey>;
  /** By id, in the order asked; without purged surveys. */
  readonly surveys: ReadonlyMap<string, Survey>;
  /** Revision of the surveys as a set. */
  readonly surveysVersion?: number | undefined;
  /** Ids in the last order set. */
  readonly surveyOrder?: readonly string[] | undefined;
  readonly surveysMark?: SurveyMark | undefined;
  readonly totals: Totals;
  readonly identitySecrets: readonly IdentitySecret[];
}

/**
 * The first day with all answers under the survey's and the project's retention; empty when none expired.
 * @param at milliseconds since the epoch
 */
export const completeFrom = (
  { project, surveys }: Pick<ProjectSettings, 'project' | 'surveys'>,
  surveyId: string,
  at: number,
): string => completeFromOf([project.retention, surveys.get(surveyId)?.retention], at);

export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

export function utcMonth(now: number): string {
  const date = new Date(now);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}
