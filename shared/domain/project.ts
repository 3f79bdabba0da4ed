/** Projects are isolated from each other. Settings and defaults: docs/contract.md §5.2, §8 and §12. */

import { CONSOLE_SETTINGS, type ConsoleProvider } from './console.ts';
import { DAY, SECOND } from './duration.ts';
import type { Generations } from './results/generation.ts';
import { completeFromOf, type Retention } from './retention.ts';
import { changeOf, flag, listOf, number, oneOf, optional, shape, text, type ValueOf } from './stored-form.ts';
import type { Survey } from './surveys/survey.ts';
import type { SurveyMark } from './surveys/survey-change.ts';

export const KEY_KINDS = ['publishable', 'secret', 'reader', 'editor'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** Each route requires one of these scopes (docs/contract.md §5.1). */
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

/** A key must list these scopes, because older keys without a list must not gain them. */
const BY_NAME: readonly KeyScope[] = ['contacts', 'surveys'];

export const ALL_SCOPES: readonly KeyScope[] = KEY_SCOPES.filter((scope) => !BY_NAME.includes(scope));

/** Zero disables a limit. An absent quota means no quota. */
const LIMITS = {
  quietPeriodMs: number,
  /** Defaults to the quiet period. */
  quietAfterDismissalMs: optional(number),
  /** Answers and dismissals per respondent in 30 days. */
  monthlyCap: number,
  /** Responses per UTC month. */
  monthlyQuota: optional(number),
  /** How often one survey may be shown to one respondent within the window. */
  maxShows: optional(number),
  showWindowMs: optional(number),
};
export type ProjectLimits = ValueOf<typeof isLimits>;
const isLimits = shape(LIMITS);

/** Requests per second. The burst is twice the rate; zero disables a limit. */
const RATES = {
  publishable: number,
  secret: number,
  /** For each source address on publishable routes. Defaults to the deployment's rate. */
  address: optional(number),
  /** For answers with genuine tokens beyond the other rates, by publishable key and source address. */
  genuine: optional(number),
  genuineAddress: optional(number),
};
export type ProjectRates = ValueOf<typeof isRates>;
const isRates = shape(RATES);

/** Bootstrap either trusts the page (`off`) or requires a signed token (docs/identity.md). */
export const IDENTITY_MODES = ['off', 'required'] as const;
export type IdentityMode = (typeof IDENTITY_MODES)[number];

/** Survey types for clients that do not list the types that they support. */
export const TYPES_UNLESS_SAID = ['first-four', 'all'] as const;
export type TypesUnlessSaid = (typeof TYPES_UNLESS_SAID)[number];

export type IdentityProvider = ValueOf<typeof isIdentityProvider>;
const isIdentityProvider = shape({
  jwks: text,
  /** The required values of `iss` and `aud`. */
  issuer: text,
  audience: text,
});

export interface IdentitySecret {
  readonly id: string;
  readonly createdAt: string;
  /** Encrypted with the deployment's hash secret. */
  readonly sealed: string;
}

/** A new setting also needs an entry in bin/admin/project-settings.ts. */
export const PROJECT_SETTINGS = {
  name: text,
  /** The name that respondents see. Defaults to `name`. */
  displayName: optional(text),
  /** A color such as `#rrggbb`. Defaults to Canvass's own color. */
  accent: optional(text),
  status: oneOf(['active', 'suspended']),
  /** Exact origins. An empty list allows any origin. */
  allowedOrigins: listOf(text),
  limits: isLimits,
  rates: isRates,
  tokenLifetimeMs: number,
  linkLifetimeMs: optional(number),
  /** Defaults to true. */
  impressions: optional(flag),
  /** Defaults to false. */
  redact: optional(flag),
  /** Absent in older projects, which serve all types. */
  typesUnlessSaid: optional(oneOf(TYPES_UNLESS_SAID)),
  /** Defaults to off. */
  identity: optional(oneOf(IDENTITY_MODES)),
  /** If a provider is set, only its tokens are valid. */
  identityProvider: optional(isIdentityProvider),
  /** Applies to readers without the scope `comments`. Defaults to 1. */
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
  /** Marks the project of the synthetic monitor. Its answers expire, are not counted and cause no events. */
  readonly probe?: true | undefined;
  /** Surveys may have a shorter retention period. If absent, answers are kept forever. */
  readonly retention?: Retention | undefined;
  readonly createdAt: string;
  /** Set when the purge of the project begins. All its keys are then invalid. */
  readonly purgedAt?: string | undefined;
}

/** Returns undefined if the project's users hold tokens of the same client. */
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

/** The longest time that a function instance caches settings (docs/contract.md §5.2). */
export const SETTINGS_LIFETIME_MS = 30 * SECOND;

export const DEFAULT_LIMITS: ProjectLimits = { quietPeriodMs: 7 * DAY, monthlyCap: 3 };
export const DEFAULT_RATES: ProjectRates = { publishable: 200, secret: 100 };
export const DEFAULT_GENUINE_RATES = { key: 1_000, address: 100 } as const;
/**
 * For each reader or editor key and each signed-in person. Does not depend on the project's rates, because people share
 * links to results.
 */
export const READER_RATE = { rate: 10, burst: 50 } as const;
/** The clients of new projects may not support newer types. */
export const DEFAULT_TYPES_UNLESS_SAID: TypesUnlessSaid = 'first-four';
/** The default also applies to older projects. */
const DEFAULT_MAX_SHOWS = 3;
const DEFAULT_SHOW_WINDOW_MS = 30 * DAY;

export const quietAfterDismissalOf = ({ quietAfterDismissalMs, quietPeriodMs }: ProjectLimits): number =>
  quietAfterDismissalMs ?? quietPeriodMs;

export const maxShowsOf = ({ maxShows = DEFAULT_MAX_SHOWS }: ProjectLimits): number => maxShows;

export const showWindowOf = ({ showWindowMs = DEFAULT_SHOW_WINDOW_MS }: ProjectLimits): number =>
  showWindowMs;

/** People may leave a tab open over a weekend. */
export const DEFAULT_TOKEN_LIFETIME_MS = 3 * DAY;
/** The range includes tokens of links. Key retirement, folding and notes depend on the maximum. */
export const TOKEN_LIFETIME_RANGE_MS = { min: SECOND, max: 30 * DAY } as const;

const DEFAULT_LINK_LIFETIME_MS = 7 * DAY;

/** Projects without the setting hide nothing. */
export const smallestCellOf = ({ smallestCell = 1 }: Pick<Project, 'smallestCell'>): number => smallestCell;

export const linkLifetimeOf = ({
  linkLifetimeMs = DEFAULT_LINK_LIFETIME_MS,
}: Pick<Project, 'linkLifetimeMs'>): number => linkLifetimeMs;

export interface ProjectKey {
  readonly id: string;
  readonly kind: KeyKind;
  /** SHA-256, lower-case hex. The key itself is never stored. */
  readonly hash: string;
  readonly createdAt: string;
  /**
   * A secret key without a list has `ALL_SCOPES`. Reader keys have `results`, `comments` or both; editor keys also have
   * `contacts` and `surveys`.
   */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** An exclusive end in ISO 8601 UTC. Reader and editor keys have one. */
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string | undefined;
  /** Lets a publishable key be used without an `Origin`, which apps do not send. */
  readonly anyOrigin?: true | undefined;
}

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

/** Totals of accepted answers, counted from the table's stream. They may lag (docs/contract.md §8). */
export interface Totals {
  readonly bySurvey: ReadonlyMap<string, number>;
  /** By UTC month, such as `2026-11`. */
  readonly byMonth: ReadonlyMap<string, number>;
  /** Includes imports; decreases with erasures. */
  readonly answered?: ReadonlyMap<string, number> | undefined;
  /** Absent while results are in their first generation. */
  readonly generations?: ReadonlyMap<string, Generations> | undefined;
}

/** Everything that a request needs; cached for 30 s. */
export interface ProjectSettings {
  readonly project: Project;
  /** Valid keys by hash. */
  readonly keys: ReadonlyMap<string, ProjectKey>;
  /** By id, in the order in which they are asked. Excludes purged surveys. */
  readonly surveys: ReadonlyMap<string, Survey>;
  readonly surveysVersion?: number | undefined;
  readonly surveyOrder?: readonly string[] | undefined;
  readonly surveysMark?: SurveyMark | undefined;
  readonly totals: Totals;
  readonly identitySecrets: readonly IdentitySecret[];
}

/** The first day whose answers are all kept; empty if none has expired. @param at milliseconds since the epoch */
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
