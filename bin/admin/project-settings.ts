/** The settings of a project: their flags, their place in `--json`, and their text (docs/contract.md §14). */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseAccent } from '../../shared/domain/accent.ts';
import { MOST_SHOWS } from '../../shared/domain/answers/shows.ts';
import { DAY, formatDuration } from '../../shared/domain/duration.ts';
import {
  appearanceOf,
  DEFAULT_GENUINE_RATES,
  DEFAULT_LIMITS,
  DEFAULT_RATES,
  DEFAULT_TOKEN_LIFETIME_MS,
  DEFAULT_TYPES_UNLESS_SAID,
  IDENTITY_MODES,
  type IdentityProvider,
  isProjectChange,
  isProjectSettings,
  linkLifetimeOf,
  maxShowsOf,
  type Project,
  type ProjectChange,
  type ProjectLimits,
  quietAfterDismissalOf,
  showWindowOf,
  TOKEN_LIFETIME_RANGE_MS,
  TYPES_UNLESS_SAID,
} from '../../shared/domain/project.ts';
import { DEFAULT_SMALLEST_CELL, MOST_SMALLEST_CELL } from '../../shared/domain/results/small-cells.ts';
import {
  newRetention,
  parseRetention,
  RETENTION_FORM,
  type RetentionPeriod,
} from '../../shared/domain/retention.ts';
import { misuse } from './admin-error.ts';
import { parseDurationWithin, rangeText } from './command.ts';
import { retentionText, retentionView } from './retention/retention-view.ts';

const MOST_NAME_CHARACTERS = 100;
const MOST_DISPLAY_NAME_CHARACTERS = 60;
const MOST_COUNT = 1_000_000_000;
const QUIET_PERIOD = { min: 0, max: 3_650 * DAY };

/** Flags as they were written; Commander has checked each. */
export interface ProjectFlags {
  readonly name?: string;
  readonly jwks?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly retention?: string;
  readonly [flag: string]: unknown;
}

/** How values of one kind are read and written. */
interface Kind<Value> {
  readonly choices?: readonly string[];
  /** @throws InvalidArgumentError */
  readonly parse: (text: string) => Value;
  /** In `--json`; defaults to the value itself. */
  readonly json?: (value: Value) => unknown;
  /** For people; defaults to the value as a string. */
  readonly text?: (value: Value) => string;
}

interface Setting<Value> extends Kind<Value> {
  readonly flag: string;
  readonly help: string;
  /** The setting's path in a project. */
  readonly path: string;
  /** The word that clears the setting. */
  readonly clear?: string;
  /** The value of a new project. Without one, the project has no such setting. */
  readonly initial?: Value;
  readonly inForce: (project: Project) => Value | undefined;
  /** The text when no value is in force. */
  readonly absent?: string;
  /** The name for people; defaults to the flag's. */
  readonly label?: string;
}

/** Something that `project show` prints. */
interface Shown {
  /** In `--json`; a dot separates a group from its member. */
  readonly name: string;
  readonly label: string;
  readonly json: (project: Project, now: number) => unknown;
  /** Undefined for no line. */
  readonly text: (project: Project, now: number) => string | undefined;
  readonly flag?: {
    readonly path: string;
    readonly initial?: unknown;
    readonly option: () => Option;
    readonly parse: (text: string) => unknown;
  };
}

function setting<Value>(each: Setting<Value>): Shown {
  const { path, clear, inForce, initial, json = (value) => value, text = String } = each;
  const parse = (written: string) => (written === clear ? null : each.parse(written));
  const option = () => {
    const made = new Option(each.flag, each.help);
    if (each.choices !== undefined) return made.choices(each.choices);
    return made.argParser((written) => {
      parse(written);
      return written;
    });
  };
  const { long, attributeName } = { long: option().name(), attributeName: option().attributeName() };
  return {
    name: path.startsWith('rates.') ? path : attributeName,
    label: each.label ?? long.replaceAll('-', ' '),
    json: (project) => {
      const value = inForce(project);
      return value === undefined ? null : json(value);
    },
    text: (project) => {
      const value = inForce(project);
      return value === undefined ? each.absent : text(value);
    },
    flag: { path, initial, option, parse },
  };
}

const duration = (range: { readonly min: number; readonly max: number }): Kind<number> => ({
  parse: parseDurationWithin(range),
  json: formatDuration,
  text: formatDuration,
});

/** @param zero the text of 0 */
const count = ({ least = 0, most = MOST_COUNT, zero = '0' } = {}): Kind<number> => ({
  parse(text) {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  },
  text: (value) => (value === 0 ? zero : String(value)),
});

const rate: Kind<number> = { ...count(), text: (value) => (value === 0 ? 'no limit' : `${value}/s`) };

const onOff: Kind<boolean> = {
  choices: ['on', 'off'],
  parse: (text) => text === 'on',
  json: (isOn) => (isOn ? 'on' : 'off'),
  text: (isOn) => (isOn ? 'on' : 'off'),
};

const choice = (choices: readonly string[]): Kind<string> => ({ choices, parse: (text) => text });

/** Characters as people count them. */
function parseLine(text: string, most: number, forbidden: RegExp): string {
  const name = text.trim();
  if (name !== '' && [...name].length <= most && !forbidden.test(name)) return name;
  throw new InvalidArgumentError(`It must be 1 to ${most} characters on one line.`);
}

function parseAccentFlag(text: string): string {
  const accent = parseAccent(text.trim());
  if (accent !== undefined) return accent;
  throw new InvalidArgumentError('It must be a color as #rgb or #rrggbb, or "default".');
}

/** The origin as a browser sends it: lower case, without its default port. */
function parseOrigin(text: string): string {
  const url = URL.parse(text.trim());
  const isExact =
    url !== null &&
    `${url.protocol}//${url.host}/` === url.href &&
    !url.host.includes('*') &&
    url.host !== '';
  if (isExact && (url.protocol === 'https:' || url.protocol === 'http:')) return url.origin;
  throw new InvalidArgumentError(
    `"${text}" is not an origin such as https://host or https://host:port, without path or wildcard.`,
  );
}

/** `any` is the empty list. */
function parseOrigins(text: string): readonly string[] {
  if (text === 'any') return [];
  if (text.trim() === '') throw new InvalidArgumentError('To allow every origin, write any.');
  return [...new Set(text.split(',').map(parseOrigin))];
}

function showsText(limits: ProjectLimits): string {
  const [most, window] = [maxShowsOf(limits), showWindowOf(limits)];
  return most === 0 || window === 0 ? 'no limit' : `${most} in ${formatDuration(window)}`;
}

const quiet: Kind<number> = {
  ...duration(QUIET_PERIOD),
  text: (value) => (value === 0 ? 'none' : formatDuration(value)),
};

/** Every setting, in the order of `project show`. A new one also needs its form in shared/domain/project.ts. */
export const SETTINGS: readonly Shown[] = [
  setting({
    flag: '--name <name>',
    help: 'what people call it',
    path: 'name',
    parse: (text) => parseLine(text, MOST_NAME_CHARACTERS, /\p{Cc}/u),
    inForce: ({ name }) => name,
  }),
  setting({
    flag: '--display-name <name>',
    help: 'the name shown to respondents; "default" is its name',
    path: 'displayName',
    clear: 'default',
    parse: (text) => parseLine(text.normalize(), MOST_DISPLAY_NAME_CHARACTERS, /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u),
    inForce: (project) => appearanceOf(project).name,
  }),
  setting({
    flag: '--accent <color>',
    help: 'its color, as #rgb or #rrggbb; "default" for none',
    path: 'accent',
    clear: 'default',
    parse: parseAccentFlag,
    inForce: ({ accent }) => accent,
    absent: 'none',
  }),
  { name: 'status', label: 'status', json: ({ status }) => status, text: ({ status }) => status },
  setting({
    flag: '--allowed-origins <a,b>',
    help: 'origins browsers may call from; "any" for all',
    path: 'allowedOrigins',
    parse: parseOrigins,
    text: (origins) => (origins.length === 0 ? 'any' : origins.join(', ')),
    initial: [],
    inForce: ({ allowedOrigins }) => allowedOrigins,
  }),
  setting({
    ...quiet,
    flag: '--quiet-period <duration>',
    help: 'pause after an answer or dismissal; 0 is none',
    path: 'limits.quietPeriodMs',
    initial: DEFAULT_LIMITS.quietPeriodMs,
    inForce: ({ limits }) => limits.quietPeriodMs,
  }),
  setting({
    ...quiet,
    flag: '--quiet-after-dismissal <duration>',
    help: 'pause after a dismissal; "default" is the quiet period',
    path: 'limits.quietAfterDismissalMs',
    clear: 'default',
    inForce: ({ limits }) => quietAfterDismissalOf(limits),
    label: 'after a dismissal',
  }),
  setting({
    ...count({ zero: 'none' }),
    flag: '--monthly-cap <count>',
    help: "one respondent's answers and dismissals in 30 days; 0 is no cap",
    path: 'limits.monthlyCap',
    initial: DEFAULT_LIMITS.monthlyCap,
    inForce: ({ limits }) => limits.monthlyCap,
  }),
  setting({
    ...count({ zero: 'none' }),
    flag: '--monthly-quota <count>',
    help: 'accepted responses a month; "none" for no quota',
    path: 'limits.monthlyQuota',
    clear: 'none',
    inForce: ({ limits }) => limits.monthlyQuota,
    absent: 'none',
  }),
  {
    ...setting({
      ...count({ most: MOST_SHOWS }),
      flag: '--max-shows <count>',
      help: 'shows of one survey to one respondent without an answer; 0 is no limit',
      path: 'limits.maxShows',
      inForce: ({ limits }) => maxShowsOf(limits),
    }),
    text: ({ limits }) => showsText(limits),
  },
  {
    ...setting({
      ...duration({ min: 0, max: 365 * DAY }),
      flag: '--show-window <duration>',
      help: 'the time in which they count; 0 is no limit',
      path: 'limits.showWindowMs',
      inForce: ({ limits }) => showWindowOf(limits),
    }),
    text: () => undefined,
  },
  setting({
    ...onOff,
    flag: '--impressions <mode>',
    help: 'whether shows are recorded',
    path: 'impressions',
    inForce: ({ impressions = true }) => impressions,
  }),
  setting({
    ...onOff,
    flag: '--redact <mode>',
    help: 'whether e-mail addresses, card and telephone numbers are removed from texts',
    path: 'redact',
    inForce: ({ redact = false }) => redact,
  }),
  setting({
    ...choice(TYPES_UNLESS_SAID),
    flag: '--types-unless-said <types>',
    help: 'which surveys are sent to clients that do not list the types they support',
    path: 'typesUnlessSaid',
    initial: DEFAULT_TYPES_UNLESS_SAID,
    inForce: ({ typesUnlessSaid = 'all' }) => typesUnlessSaid,
  }),
  setting({
    ...duration(TOKEN_LIFETIME_RANGE_MS),
    flag: '--token-lifetime <duration>',
    help: rangeText(TOKEN_LIFETIME_RANGE_MS),
    path: 'tokenLifetimeMs',
    initial: DEFAULT_TOKEN_LIFETIME_MS,
    inForce: ({ tokenLifetimeMs }) => tokenLifetimeMs,
  }),
  setting({
    ...duration(TOKEN_LIFETIME_RANGE_MS),
    flag: '--link-lifetime <duration>',
    help: `lifetime of a link whose request sets none; ${rangeText(TOKEN_LIFETIME_RANGE_MS)}`,
    path: 'linkLifetimeMs',
    inForce: linkLifetimeOf,
  }),
  setting({
    ...rate,
    flag: '--rate-publishable <count>',
    help: 'requests per second of a publishable key; 0 is no limit',
    path: 'rates.publishable',
    initial: DEFAULT_RATES.publishable,
    inForce: ({ rates }) => rates.publishable,
  }),
  setting({
    ...rate,
    flag: '--rate-secret <count>',
    help: 'requests per second of a secret key; 0 is no limit',
    path: 'rates.secret',
    initial: DEFAULT_RATES.secret,
    inForce: ({ rates }) => rates.secret,
  }),
  setting({
    ...rate,
    flag: '--rate-address <count>',
    help: 'requests per second of a source address; 0 is no limit, "default" the deployment\'s',
    path: 'rates.address',
    clear: 'default',
    inForce: ({ rates }) => rates.address,
    absent: "the deployment's",
  }),
  setting({
    ...rate,
    flag: '--rate-genuine <count>',
    help: 'answers per second beyond it, with genuine tokens, of a publishable key; 0 is no limit, "default" 1000',
    path: 'rates.genuine',
    clear: 'default',
    inForce: ({ rates: { genuine = DEFAULT_GENUINE_RATES.key } }) => genuine,
  }),
  setting({
    ...rate,
    flag: '--rate-genuine-address <count>',
    help: 'the same of a source address; 0 is no limit, "default" 100',
    path: 'rates.genuineAddress',
    clear: 'default',
    inForce: ({ rates: { genuineAddress = DEFAULT_GENUINE_RATES.address } }) => genuineAddress,
  }),
  setting({
    ...choice(IDENTITY_MODES),
    flag: '--identity <mode>',
    help: 'whether bootstrap requires a signed token of the user',
    path: 'identity',
    inForce: ({ identity = 'off' }) => identity,
  }),
  {
    name: 'identityProvider',
    label: 'identity provider',
    json: ({ identityProvider = null }) => identityProvider,
    text: ({ identityProvider: provider }) =>
      provider && `${provider.jwks} (issuer ${provider.issuer}, audience ${provider.audience})`,
  },
  {
    name: 'retention',
    label: 'retention',
    json: ({ retention }, now) => retentionView(retention, now),
    text: ({ retention }, now) => retentionText(retention, now),
  },
  setting({
    ...count({ least: 1, most: MOST_SMALLEST_CELL }),
    flag: '--smallest-cell <count>',
    help: `fewest ratings shown to readers without access to comments, 1 to ${MOST_SMALLEST_CELL}`,
    path: 'smallestCell',
    initial: DEFAULT_SMALLEST_CELL,
    inForce: ({ smallestCell = 1 }) => smallestCell,
  }),
];

const [NAME] = SETTINGS.flatMap(({ flag }) => flag ?? []);

/** The address of an identity provider's keys: functions fetch it, so it needs TLS and may hold no password. */
function parseJwks(text: string): string {
  const url = URL.parse(text);
  const isPlain = url !== null && url.username === '' && url.password === '' && url.hash === '';
  if (text === 'none' || (isPlain && url.protocol === 'https:')) return text;
  throw new InvalidArgumentError('It must be an https address, or "none".');
}

function parseRetentionFlag(text: string): string {
  if (parseRetention(text) !== undefined) return text;
  throw new InvalidArgumentError(`It ${RETENTION_FORM}.`);
}

/** Undefined when the flags do not name it. */
export const retentionOf = ({ retention }: ProjectFlags): RetentionPeriod | undefined =>
  retention === undefined ? undefined : parseRetention(retention);

/** Undefined when the flags name none; null removes it. @throws AdminError for a part of one */
function providerOf({ jwks, issuer, audience }: ProjectFlags): IdentityProvider | null | undefined {
  if (jwks === 'none' && issuer === undefined && audience === undefined) return null;
  if (jwks === undefined && issuer === undefined && audience === undefined) return undefined;
  if (jwks === undefined || jwks === 'none' || issuer === undefined || audience === undefined) {
    throw misuse('--jwks, --issuer and --audience go together.');
  }
  return { jwks, issuer, audience };
}

export function nameOption(): Option {
  if (NAME === undefined) throw new Error('a project has a name');
  return NAME.option();
}

/** Adds the flags of all settings but the name. */
export function withSettings(command: Command): Command {
  for (const { flag } of SETTINGS) if (flag !== undefined && flag !== NAME) command.addOption(flag.option());
  return command
    .option('--jwks <url>', 'address of the public keys of the identity provider; "none" for none', parseJwks)
    .option('--issuer <issuer>', '"iss" of its tokens')
    .option('--audience <audience>', '"aud" of its tokens')
    .option(
      '--retention <period>',
      'how long answers stay: 35d to 36500d, or 2mo to 1200mo; "none" for ever',
      parseRetentionFlag,
    );
}

/** Values by path as one object: `limits.monthlyCap` in an object `limits`. */
function nested(values: readonly (readonly [path: string, value: unknown])[]): Record<string, unknown> {
  const groups = Map.groupBy(values, ([path]) => path.split('.')[0] ?? path);
  return Object.fromEntries(
    [...groups].map(([name, members]) => {
      const [[path, value] = [name, undefined]] = members;
      if (path === name) return [name, value];
      return [
        name,
        Object.fromEntries(members.map((member) => [member[0].slice(name.length + 1), member[1]])),
      ];
    }),
  );
}

/** What the flags name, by path; null clears. */
const named = (flags: ProjectFlags) =>
  SETTINGS.flatMap(({ flag }) => {
    const written = flag && flags[flag.option().attributeName()];
    return flag && typeof written === 'string' ? [[flag.path, flag.parse(written)] as const] : [];
  });

export function toChange(flags: ProjectFlags): ProjectChange {
  const change = nested([...named(flags), ['identityProvider', providerOf(flags)]]);
  if (isProjectChange(change)) return change;
  throw new Error('a flag does not have the form of its setting');
}

/**
 * The settings of a new project: from the flags, or their defaults.
 * @param now milliseconds since the epoch
 */
export function toSettings(flags: ProjectFlags, now: number): Omit<Project, 'id' | 'createdAt'> {
  const initial = SETTINGS.flatMap(({ flag }) => (flag ? [[flag.path, flag.initial] as const] : []));
  const values = new Map([...initial, ...named(flags)]);
  const settings = nested([
    ['status', 'active'],
    ...[...values].map(([path, value]) => [path, value ?? undefined] as const),
    ['identityProvider', providerOf(flags) ?? undefined],
  ]);
  if (!isProjectSettings(settings)) throw new Error('a flag does not have the form of its setting');
  return { ...settings, retention: newRetention(retentionOf(flags) ?? null, now) };
}

/** The settings of `--json`, named and written as their flags; `null` for a setting without a value. */
export const settingsView = (project: Project, now: number): Record<string, unknown> =>
  nested(SETTINGS.map(({ name, json }) => [name, json(project, now)]));

/** The settings for people, by label. */
export const settingsText = (project: Project, now: number): Record<string, string> =>
  Object.fromEntries(
    SETTINGS.flatMap(({ label, text }) => {
      const shown = text(project, now);
      return shown === undefined ? [] : [[label, shown]];
    }),
  );
