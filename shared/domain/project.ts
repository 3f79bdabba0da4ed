/** Projects: the unit of isolation. Their settings and defaults (docs/contract.md §5.2, §8 and §12). */

import { CONSOLE_SETTINGS, type ConsoleProvider } from './console.ts';
import { DAY, SECOND } from './duration.ts';
import type { Generations } from './results/generation.ts';
import { completeFromOf, type Retention } from './retention.ts';
import { changeOf, flag, listOf, number, oneOf, optional, shape, text, type ValueOf } from './stored-form.ts';
import type { Survey } from './surveys/survey.ts';
import type { SurveyMark } from './surveys/survey-change.ts';

export const KEY_KINDS = ['publishable', 'secret', 'reader', 'editor'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a secret key may do; each route names the one it asks for (docs/contract.md §5.1). */
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

/** Scopes that a key has only by name: they came later, and no key made before gains power. */
const BY_NAME: readonly KeyScope[] = ['contacts', 'surveys'];

/** What a secret key may do that was made without scopes. */
export const ALL_SCOPES: readonly KeyScope[] = KEY_SCOPES.filter((scope) => !BY_NAME.includes(scope));

/** Limits of a project. Zero switches a rule off; an absent quota means none. */
const LIMITS = {
  quietPeriodMs: number,
  /** After a dismissal; defaults to the quiet period. */
  quietAfterDismissalMs: optional(number),
  /** Accepted answers and dismissals of one respondent in 30 days. */
  monthlyCap: number,
  /** Accepted responses of the project in a calendar month, UTC. */
  monthlyQuota: optional(number),
  /** Shows of one survey to one respondent within the window. */
  maxShows: optional(number),
  showWindowMs: optional(number),
};
export type ProjectLimits = ValueOf<typeof isLimits>;
const isLimits = shape(LIMITS);

/** Requests per second; burst is twice that; zero switches a limit off. */
const RATES = {
  publishable: number,
  secret: number,
  /** Per source address on publishable routes; defaults to the deployment's. */
  address: optional(number),
  /** Answers with genuine tokens beyond these limits, per publishable key and per source address. */
  genuine: optional(number),
  genuineAddress: optional(number),
};
export type ProjectRates = ValueOf<typeof isRates>;
const isRates = shape(RATES);

/** Whether bootstrap takes the page's word for who the person is, or a signed token (docs/identity.md). */
export const IDENTITY_MODES = ['off', 'required'] as const;
export type IdentityMode = (typeof IDENTITY_MODES)[number];

/** Which types of surveys clients are served that do not say which they can draw. */
export const TYPES_UNLESS_SAID = ['first-four', 'all'] as const;
export type TypesUnlessSaid = (typeof TYPES_UNLESS_SAID)[number];

/** Signs users' tokens in place of the project's own server. */
export type IdentityProvider = ValueOf<typeof isIdentityProvider>;
const isIdentityProvider = shape({
  /** The address of its public keys. */
  jwks: text,
  /** `iss` and `aud` of its tokens. */
  issuer: text,
  audience: text,
});

/** What the project's server signs its users' tokens with. */
export interface IdentitySecret {
  readonly id: string;
  readonly createdAt: string;
  /** Sealed under the deployment's hash secret. */
  readonly sealed: string;
}

/** The settings an operator changes. A new one is a line here and an entry in bin/admin/project-settings.ts. */
export const PROJECT_SETTINGS = {
  name: text,
  /** The name shown to respondents; defaults to `name`. */
  displayName: optional(text),
  /** `#rrggbb`; defaults to the accent of Canvass. */
  accent: optional(text),
  status: oneOf(['active', 'suspended']),
  /** Exact origins; empty means any. */
  allowedOrigins: listOf(text),
  limits: isLimits,
  rates: isRates,
  tokenLifetimeMs: number,
  /** Of links whose request sets none. */
  linkLifetimeMs: optional(number),
  /** Whether shows are recorded; defaults to true. */
  impressions: optional(flag),
  /** Whether addresses and numbers are removed from texts; defaults to false. */
  redact: optional(flag),
  /** Absent, in projects older than the setting, means all. */
  typesUnlessSaid: optional(oneOf(TYPES_UNLESS_SAID)),
  /** Defaults to off. */
  identity: optional(oneOf(IDENTITY_MODES)),
  /** When set, only its tokens count. */
  identityProvider: optional(isIdentityProvider),
  /** The fewest ratings that results show to readers without the `comments` scope; absent means 1. */
  smallestCell: optional(number),
  ...CONSOLE_SETTINGS,
};
export type ProjectSettingValues = ValueOf<typeof isProjectSettings>;
export const isProjectSettings = shape(PROJECT_SETTINGS);

/** Absent and undefined settings stay as they are; `null` clears. */
export type ProjectChange = ValueOf<typeof isProjectChange>;
export const isProjectChange = changeOf({
  ...PROJECT_SETTINGS,
  limits: changeOf(LIMITS),
  rates: changeOf(RATES),
});

export interface Project extends ProjectSettingValues {
  readonly id: string;
  /** The synthetic monitor uses this project: its answers expire, are not counted, and cause no events. */
  readonly probe?: true | undefined;
  /** How long its answers stay; a survey may set a shorter time. Absent: forever. */
  readonly retention?: Retention | undefined;
  readonly createdAt: string;
  /** Set once an account purge has begun: from then on no key of the project is valid. */
  readonly purgedAt?: string | undefined;
}

/** Where people sign in to the console, unless its client is the one whose tokens the project's own users hold. */
export const consoleProviderOf = ({
  consoleProvider,
  identityProvider,
}: Pick<Project, 'consoleProvider' | 'identityProvider'>): ConsoleProvider | undefined =>
  consoleProvider?.clientId === identityProvider?.audience ? undefined : consoleProvider;

/** How a project is shown to people (docs/contract.md §19.2). */
export interface Appearance {
  readonly name: string;
  readonly accent: string | undefined;
}

export const appearanceOf = ({ name, displayName = name, accent }: Project): Appearance => ({
  name: displayName,
  accent,
});

/** The longest time settings stay in a function instance's memory (docs/contract.md §5.2). */
export const SETTINGS_LIFETIME_MS = 30 * SECOND;

export const DEFAULT_LIMITS: ProjectLimits = { quietPeriodMs: 7 * DAY, monthlyCap: 3 };
export const DEFAULT_RATES: ProjectRates = { publishable: 200, secret: 100 };
export const DEFAULT_GENUINE_RATES = { key: 1_000, address: 100 } as const;
/** Of every reader and editor key and of everyone who is signed in, whatever the project's rates: a link to results may be passed on. */
export const READER_RATE = { rate: 10, burst: 50 } as const;
/** Of new projects: a client of somebody else's may know no more. */
export const DEFAULT_TYPES_UNLESS_SAID: TypesUnlessSaid = 'first-four';
/** Of projects from before there was such a rule, too. */
const DEFAULT_MAX_SHOWS = 3;
const DEFAULT_SHOW_WINDOW_MS = 30 * DAY;

/** How long nothing is asked after a dismissal, milliseconds. */
export const quietAfterDismissalOf = ({ quietAfterDismissalMs, quietPeriodMs }: ProjectLimits): number =>
  quietAfterDismissalMs ?? quietPeriodMs;

export const maxShowsOf = ({ maxShows = DEFAULT_MAX_SHOWS }: ProjectLimits): number => maxShows;

/** Milliseconds. */
export const showWindowOf = ({ showWindowMs = DEFAULT_SHOW_WINDOW_MS }: ProjectLimits): number =>
  showWindowMs;

/** Of new projects: a tab stays open over a weekend. */
export const DEFAULT_TOKEN_LIFETIME_MS = 3 * DAY;
/** Of every show-token, that of a link too: keys are retired, histories folded and notes kept by the longest. */
export const TOKEN_LIFETIME_RANGE_MS = { min: SECOND, max: 30 * DAY } as const;

const DEFAULT_LINK_LIFETIME_MS = 7 * DAY;

/** How long the token of a link is good unless its request says so, milliseconds. */
export const linkLifetimeOf = ({
  linkLifetimeMs = DEFAULT_LINK_LIFETIME_MS,
}: Pick<Project, 'linkLifetimeMs'>): number => linkLifetimeMs;

export interface ProjectKey {
  readonly id: string;
  readonly kind: KeyKind;
  /** SHA-256 of the key, lower-case hex; the key itself is never stored. */
  readonly hash: string;
  readonly createdAt: string;
  /**
   * Of a secret key, where absent means all but those by name; of a reader key one or both of `results` and `comments`,
   * of an editor key `contacts` and `surveys` as well.
   */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** ISO 8601 UTC; from then on the key opens nothing. Of a reader or an editor key. */
  readonly expiresAt?: string | undefined;
  readonly revokedAt?: string | undefined;
  /** A publishable key that the project's allowed origins do not bind: of an app, which sends no `Origin`. */
  readonly anyOrigin?: true | undefined;
}

/**
 * What a person's key may do, and who is signed in as its holder would be.
 * @param comments whether it shows what people wrote, and who they are
 */
export const personScopes = (kind: 'reader' | 'editor', comments: boolean): readonly KeyScope[] => [
  'results',
  ...(comments ? (['comments'] as const) : []),
  ...(kind === 'editor' ? (['contacts', 'surveys'] as const) : []),
];

/** What somebody who is signed in may do, as the holder of a key of this kind would. */
export const signedInScopes = (
  kind: 'reader' | 'editor',
  { consoleComments }: Pick<Project, 'consoleComments'>,
): readonly KeyScope[] => personScopes(kind, kind === 'editor' || consoleComments === 'all');

/** @param now milliseconds since the epoch */
export function isExpired({ expiresAt }: ProjectKey, now: number): boolean {
  return expiresAt !== undefined && now >= Date.parse(expiresAt);
}

/** Whether a key may do what a route asks for; a route may ask for nothing. */
export function hasScope({ scopes }: ProjectKey, scope: KeyScope | undefined): boolean {
  return scope === undefined || (scopes ?? ALL_SCOPES).includes(scope);
}

/** Accepted responses, counted from the table's stream: soft, see docs/contract.md §8. */
export interface Totals {
  readonly bySurvey: ReadonlyMap<string, number>;
  /** By UTC month, `2026-11`. */
  readonly byMonth: ReadonlyMap<string, number>;
  /** Responses among the results of each survey, imported ones too: fewer when some are erased. */
  readonly answered?: ReadonlyMap<string, number> | undefined;
  /** Of the results of each survey; absent are the first ones. */
  readonly generations?: ReadonlyMap<string, Generations> | undefined;
}

/** Everything a request needs to know of its project; cached for at most 30 s in a function instance. */
export interface ProjectSettings {
  readonly project: Project;
  /** Live keys by hash. */
  readonly keys: ReadonlyMap<string, ProjectKey>;
  /** By id, in the order in which they are asked; purged ones are left out. */
  readonly surveys: ReadonlyMap<string, Survey>;
  /** The revision of these surveys as one set. */
  readonly surveysVersion?: number | undefined;
  /** Their ids in the order that was said last. */
  readonly surveyOrder?: readonly string[] | undefined;
  /** Of their last change. */
  readonly surveysMark?: SurveyMark | undefined;
  readonly totals: Totals;
  readonly identitySecrets: readonly IdentitySecret[];
}

/**
 * The first day whose answers of a survey are all there, by its own and the project's retention; empty where none is gone.
 * @param at milliseconds since the epoch
 */
export const completeFrom = (
  { project, surveys }: Pick<ProjectSettings, 'project' | 'surveys'>,
  surveyId: string,
  at: number,
): string => completeFromOf([project.retention, surveys.get(surveyId)?.retention], at);

/** When the next UTC calendar month begins, milliseconds. */
export function nextMonth(now: number): number {
  const date = new Date(now);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/** The UTC calendar month of a time, `2026-11`. */
export function utcMonth(now: number): string {
  const date = new Date(now);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}
