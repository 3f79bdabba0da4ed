import { type Command, InvalidArgumentError, Option } from 'commander';
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
  smallestCellOf,
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
import { rangeText } from './command.ts';
import { retentionText, retentionView } from './retention-commands.ts';
import {
  accent,
  choice,
  count,
  displayName,
  duration,
  type Kind,
  line,
  onOff,
  origins,
  quiet,
  rate,
} from './setting-kinds.ts';

export interface ProjectFlags {
  readonly name?: string;
  readonly jwks?: string;
  readonly issuer?: string;
  readonly audience?: string;
  readonly retention?: string;
  readonly [flag: string]: unknown;
}

interface Setting<Value> {
  readonly help: string;
  /** The path of the setting, with a dot between group and member. Defaults to the flag. */
  readonly path?: string;
  readonly clear?: string;
  /** If absent, new projects do not have the setting. */
  readonly initial?: Value;
  readonly inForce: (project: Project) => Value | undefined;
  readonly absent?: string;
  readonly label?: string;
}

interface Shown {
  readonly name: string;
  readonly label: string;
  readonly json: (project: Project, now: number) => unknown;
  readonly text: (project: Project, now: number) => string | undefined;
  readonly flag?: {
    readonly path: string;
    readonly initial?: unknown;
    readonly option: () => Option;
    readonly parse: (text: string) => unknown;
  };
}

function setting<Value>(flags: string, kind: Kind<Value>, each: Setting<Value>): Shown {
  const { clear, inForce, initial } = each;
  const { choices, json = (value) => value, text = String } = kind;
  const parse = (written: string) => (written === clear ? null : kind.parse(written));
  const option = () => {
    const made = new Option(flags, each.help);
    if (choices !== undefined) return made.choices(choices);
    return made.argParser((written) => {
      parse(written);
      return written;
    });
  };
  const long = option().name();
  const name = option().attributeName();
  const { path = name } = each;
  return {
    name: path.startsWith('rates.') ? path : name,
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

function showsText(limits: ProjectLimits): string {
  const [most, window] = [maxShowsOf(limits), showWindowOf(limits)];
  return most === 0 || window === 0 ? 'no limit' : `${most} in ${formatDuration(window)}`;
}

/** The settings, in the order of `project show`. */
export const SETTINGS: readonly Shown[] = [
  setting('--name <name>', line(100, /\p{Cc}/u), {
    help: 'name for your team',
    inForce: ({ name }) => name,
  }),
  setting('--display-name <name>', displayName, {
    help: 'name shown to respondents; "default" uses the project\'s name',
    clear: 'default',
    inForce: (project) => appearanceOf(project).name,
  }),
  setting('--accent <color>', accent, {
    help: 'brand color, as #rgb or #rrggbb; "default" for none',
    clear: 'default',
    inForce: ({ accent }) => accent,
    absent: 'none',
  }),
  { name: 'status', label: 'status', json: ({ status }) => status, text: ({ status }) => status },
  setting('--allowed-origins <a,b>', origins, {
    help: 'origins that browsers may call from; "any" for all',
    initial: [],
    inForce: ({ allowedOrigins }) => allowedOrigins,
  }),
  setting('--quiet-period <duration>', quiet, {
    help: 'pause after an answer or dismissal; 0 for none',
    path: 'limits.quietPeriodMs',
    initial: DEFAULT_LIMITS.quietPeriodMs,
    inForce: ({ limits }) => limits.quietPeriodMs,
  }),
  setting('--quiet-after-dismissal <duration>', quiet, {
    help: 'pause after a dismissal; "default" uses the quiet period',
    path: 'limits.quietAfterDismissalMs',
    clear: 'default',
    inForce: ({ limits }) => quietAfterDismissalOf(limits),
    label: 'after a dismissal',
  }),
  setting('--monthly-cap <count>', count({ zero: 'none' }), {
    help: 'answers and dismissals per respondent in 30 days; 0 for no limit',
    path: 'limits.monthlyCap',
    initial: DEFAULT_LIMITS.monthlyCap,
    inForce: ({ limits }) => limits.monthlyCap,
  }),
  setting('--monthly-quota <count>', count({ zero: 'none' }), {
    help: 'accepted responses per month; "none" for no limit',
    path: 'limits.monthlyQuota',
    clear: 'none',
    inForce: ({ limits }) => limits.monthlyQuota,
    absent: 'none',
  }),
  {
    ...setting('--max-shows <count>', count({ most: MOST_SHOWS }), {
      help: 'times that a survey is shown to a respondent without an answer; 0 for no limit',
      path: 'limits.maxShows',
      inForce: ({ limits }) => maxShowsOf(limits),
    }),
    text: ({ limits }) => showsText(limits),
  },
  {
    ...setting('--show-window <duration>', duration({ min: 0, max: 365 * DAY }), {
      help: 'period in which --max-shows counts; 0 for no limit',
      path: 'limits.showWindowMs',
      inForce: ({ limits }) => showWindowOf(limits),
    }),
    text: () => undefined,
  },
  setting('--impressions <mode>', onOff, {
    help: 'whether impressions are recorded',
    inForce: ({ impressions = true }) => impressions,
  }),
  setting('--redact <mode>', onOff, {
    help: 'whether email addresses, card numbers and phone numbers are removed from comments',
    inForce: ({ redact = false }) => redact,
  }),
  setting('--types-unless-said <types>', choice(TYPES_UNLESS_SAID), {
    help: 'surveys that are sent to clients that do not list the types they support',
    initial: DEFAULT_TYPES_UNLESS_SAID,
    inForce: ({ typesUnlessSaid = 'all' }) => typesUnlessSaid,
  }),
  setting('--token-lifetime <duration>', duration(TOKEN_LIFETIME_RANGE_MS), {
    help: rangeText(TOKEN_LIFETIME_RANGE_MS),
    path: 'tokenLifetimeMs',
    initial: DEFAULT_TOKEN_LIFETIME_MS,
    inForce: ({ tokenLifetimeMs }) => tokenLifetimeMs,
  }),
  setting('--link-lifetime <duration>', duration(TOKEN_LIFETIME_RANGE_MS), {
    help: `lifetime of a link whose request sets none; ${rangeText(TOKEN_LIFETIME_RANGE_MS)}`,
    path: 'linkLifetimeMs',
    inForce: linkLifetimeOf,
  }),
  setting('--rate-publishable <count>', rate, {
    help: 'requests per second of a publishable key; 0 for no limit',
    path: 'rates.publishable',
    initial: DEFAULT_RATES.publishable,
    inForce: ({ rates }) => rates.publishable,
  }),
  setting('--rate-secret <count>', rate, {
    help: 'requests per second of a secret key; 0 for no limit',
    path: 'rates.secret',
    initial: DEFAULT_RATES.secret,
    inForce: ({ rates }) => rates.secret,
  }),
  setting('--rate-address <count>', rate, {
    help: 'requests per second of a source address; 0 for no limit, "default" for the deployment\'s limit',
    path: 'rates.address',
    clear: 'default',
    inForce: ({ rates }) => rates.address,
    absent: "the deployment's",
  }),
  setting('--rate-genuine <count>', rate, {
    help: 'additional answers per second with genuine tokens, for a publishable key; 0 for no limit, "default" for 1000',
    path: 'rates.genuine',
    clear: 'default',
    inForce: ({ rates: { genuine = DEFAULT_GENUINE_RATES.key } }) => genuine,
  }),
  setting('--rate-genuine-address <count>', rate, {
    help: 'additional answers per second with genuine tokens, for a source address; 0 for no limit, "default" for 100',
    path: 'rates.genuineAddress',
    clear: 'default',
    inForce: ({ rates: { genuineAddress = DEFAULT_GENUINE_RATES.address } }) => genuineAddress,
  }),
  setting('--identity <mode>', choice(IDENTITY_MODES), {
    help: 'whether bootstrap requires a signed token of the user',
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
  setting('--smallest-cell <count>', count({ least: 1, most: MOST_SMALLEST_CELL }), {
    help: `smallest number of ratings that people without access to comments can see, 1 to ${MOST_SMALLEST_CELL}`,
    initial: DEFAULT_SMALLEST_CELL,
    inForce: smallestCellOf,
  }),
];

const [NAME] = SETTINGS.flatMap(({ flag }) => flag ?? []);

/** Functions fetch this address, so it must use TLS and must not contain a password. */
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

export const retentionOf = ({ retention }: ProjectFlags): RetentionPeriod | undefined =>
  retention === undefined ? undefined : parseRetention(retention);

/** Null removes the provider. @throws AdminError */
function providerOf({ jwks, issuer, audience }: ProjectFlags): IdentityProvider | null | undefined {
  if (jwks === 'none' && issuer === undefined && audience === undefined) return null;
  if (jwks === undefined && issuer === undefined && audience === undefined) return undefined;
  if (jwks === undefined || jwks === 'none' || issuer === undefined || audience === undefined) {
    throw misuse('--jwks, --issuer and --audience must be given together.');
  }
  return { jwks, issuer, audience };
}

export function nameOption(): Option {
  if (NAME === undefined) throw new Error('the settings have no name');
  return NAME.option();
}

export function withSettings(command: Command): Command {
  for (const { flag } of SETTINGS) if (flag !== undefined && flag !== NAME) command.addOption(flag.option());
  return command
    .option(
      '--jwks <url>',
      'address of the identity provider\'s public keys; "none" for no provider',
      parseJwks,
    )
    .option('--issuer <issuer>', '"iss" of the provider\'s tokens')
    .option('--audience <audience>', '"aud" of the provider\'s tokens')
    .option(
      '--retention <period>',
      'how long answers are kept: 35d to 36500d, or 2mo to 1200mo; "none" for forever',
      parseRetentionFlag,
    );
}

/** `limits.monthlyCap` becomes a member of `limits`. */
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

export const settingsView = (project: Project, now: number): Record<string, unknown> =>
  nested(SETTINGS.map(({ name, json }) => [name, json(project, now)]));

export const settingsText = (project: Project, now: number): Record<string, string> =>
  Object.fromEntries(
    SETTINGS.flatMap(({ label, text }) => {
      const shown = text(project, now);
      return shown === undefined ? [] : [[label, shown]];
    }),
  );
