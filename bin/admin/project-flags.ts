/** The settings of a project as flags (docs/contract.md §14), each checked as it is read. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ProjectChange } from '../../shared/data/projects/project-store.ts';
import { parseAccent } from '../../shared/domain/accent.ts';
import { MOST_SHOWS } from '../../shared/domain/answers/shows.ts';
import { DAY } from '../../shared/domain/duration.ts';
import {
  DEFAULT_LIMITS,
  DEFAULT_RATES,
  DEFAULT_TOKEN_LIFETIME_MS,
  DEFAULT_TYPES_UNLESS_SAID,
  IDENTITY_MODES,
  type IdentityMode,
  type IdentityProvider,
  TOKEN_LIFETIME_RANGE_MS,
  TYPES_UNLESS_SAID,
  type TypesUnlessSaid,
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

const MOST_NAME_CHARACTERS = 100;
const MOST_DISPLAY_NAME_CHARACTERS = 60;
const LONGEST_QUIET_PERIOD_MS = 3_650 * DAY;
const LONGEST_SHOW_WINDOW_MS = 365 * DAY;
const MOST_COUNT = 1_000_000_000;

export interface ProjectFlags {
  readonly name?: string;
  readonly displayName?: string;
  readonly accent?: string;
  readonly allowedOrigins?: readonly string[];
  readonly quietPeriod?: number;
  readonly quietAfterDismissal?: number | 'default';
  readonly monthlyCap?: number;
  readonly monthlyQuota?: number | 'none';
  readonly maxShows?: number;
  readonly showWindow?: number;
  readonly impressions?: 'on' | 'off';
  readonly redact?: 'on' | 'off';
  readonly typesUnlessSaid?: TypesUnlessSaid;
  readonly tokenLifetime?: number;
  readonly linkLifetime?: number;
  readonly ratePublishable?: number;
  readonly rateSecret?: number;
  readonly rateAddress?: number | 'default';
  readonly rateGenuine?: number | 'default';
  readonly rateGenuineAddress?: number | 'default';
  readonly identity?: IdentityMode;
  readonly jwks?: string;
  readonly issuer?: string;
  readonly audience?: string;
  /** As it is written, `none` too. */
  readonly retention?: string;
  readonly smallestCell?: number;
}

function parseName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MOST_NAME_CHARACTERS || /\p{Cc}/u.test(name)) {
    throw new InvalidArgumentError(`It must be 1 to ${MOST_NAME_CHARACTERS} characters on one line.`);
  }
  return name;
}

/** As people count them; `default` is the project's name. */
function parseDisplayName(text: string): string {
  const name = text.trim().normalize();
  if (
    name === '' ||
    [...name].length > MOST_DISPLAY_NAME_CHARACTERS ||
    /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u.test(name)
  ) {
    throw new InvalidArgumentError(`It must be 1 to ${MOST_DISPLAY_NAME_CHARACTERS} characters on one line.`);
  }
  return name;
}

function parseAccentFlag(text: string): string {
  const accent = text === 'default' ? text : parseAccent(text.trim());
  if (accent !== undefined) return accent;
  throw new InvalidArgumentError('It must be a colour as #rgb or #rrggbb, or "default".');
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

const parseCountUpTo =
  (most: number) =>
  (text: string): number => {
    if (/^\d{1,10}$/.test(text) && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
  };

const parseCount = parseCountUpTo(MOST_COUNT);

function parseSmallestCell(text: string): number {
  const count = parseCountUpTo(MOST_SMALLEST_CELL)(text);
  if (count > 0) return count;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST_SMALLEST_CELL}.`);
}

/** A word that clears the setting, else a count. Commander has no way to hand over `null`. */
const parseCountOr =
  <Word extends string>(word: Word) =>
  (text: string): number | Word =>
    text === word ? word : parseCount(text);

/** Where the keys of an identity provider are: read by functions, so over TLS and without a password. */
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

/** Undefined when the flags name none; null takes it away. @throws AdminError for a part of one */
function providerOf({ jwks, issuer, audience }: ProjectFlags): IdentityProvider | null | undefined {
  if (jwks === 'none' && issuer === undefined && audience === undefined) return null;
  if (jwks === undefined && issuer === undefined && audience === undefined) return undefined;
  if (jwks === undefined || jwks === 'none' || issuer === undefined || audience === undefined) {
    throw misuse('--jwks, --issuer and --audience go together.');
  }
  return { jwks, issuer, audience };
}

export const nameOption = (): Option =>
  new Option('--name <name>', 'what people call it').argParser(parseName);

/** Adds the flags of all settings but the name. */
export function withSettings(command: Command): Command {
  const quietPeriod = parseDurationWithin({ min: 0, max: LONGEST_QUIET_PERIOD_MS });
  return command
    .option(
      '--display-name <name>',
      'what the people who are asked know it by; "default" is its name',
      parseDisplayName,
    )
    .option('--accent <colour>', 'its colour, as #rgb or #rrggbb; "default" for none', parseAccentFlag)
    .option('--allowed-origins <a,b>', 'origins browsers may call from; "any" for all', parseOrigins)
    .option('--quiet-period <duration>', 'pause after an answer or dismissal; 0 is none', quietPeriod)
    .option(
      '--quiet-after-dismissal <duration>',
      'pause after a dismissal; "default" is the quiet period',
      (text: string) => (text === 'default' ? text : quietPeriod(text)),
    )
    .option(
      '--monthly-cap <count>',
      "one respondent's answers and dismissals in 30 days; 0 is no cap",
      parseCount,
    )
    .option(
      '--monthly-quota <count>',
      'accepted responses a month; "none" for no quota',
      parseCountOr('none'),
    )
    .option(
      '--max-shows <count>',
      'shows of one survey to one respondent without an answer; 0 is no limit',
      parseCountUpTo(MOST_SHOWS),
    )
    .option(
      '--show-window <duration>',
      'the time in which they count; 0 is no limit',
      parseDurationWithin({ min: 0, max: LONGEST_SHOW_WINDOW_MS }),
    )
    .addOption(new Option('--impressions <mode>', 'whether shows are recorded').choices(['on', 'off']))
    .addOption(
      new Option(
        '--redact <mode>',
        'whether e-mail addresses, card and telephone numbers are taken out of texts',
      ).choices(['on', 'off']),
    )
    .addOption(
      new Option(
        '--types-unless-said <types>',
        'which surveys clients get that do not say what they can draw',
      ).choices(TYPES_UNLESS_SAID),
    )
    .option(
      '--token-lifetime <duration>',
      rangeText(TOKEN_LIFETIME_RANGE_MS),
      parseDurationWithin(TOKEN_LIFETIME_RANGE_MS),
    )
    .option(
      '--link-lifetime <duration>',
      `of links that are asked for without one; ${rangeText(TOKEN_LIFETIME_RANGE_MS)}`,
      parseDurationWithin(TOKEN_LIFETIME_RANGE_MS),
    )
    .option('--rate-publishable <count>', 'requests a second of a publishable key; 0 is no limit', parseCount)
    .option('--rate-secret <count>', 'requests a second of a secret key; 0 is no limit', parseCount)
    .option(
      '--rate-address <count>',
      'requests a second of a source address; 0 is no limit, "default" the deployment\'s',
      parseCountOr('default'),
    )
    .option(
      '--rate-genuine <count>',
      'answers a second beyond it, with genuine tokens, of a publishable key; 0 is no limit, "default" 1000',
      parseCountOr('default'),
    )
    .option(
      '--rate-genuine-address <count>',
      'the same of a source address; 0 is no limit, "default" 100',
      parseCountOr('default'),
    )
    .addOption(
      new Option('--identity <mode>', 'whether bootstrap wants a signed token of the person').choices(
        IDENTITY_MODES,
      ),
    )
    .option('--jwks <url>', 'where the public keys of the identity provider are; "none" for none', parseJwks)
    .option('--issuer <issuer>', '"iss" of its tokens')
    .option('--audience <audience>', '"aud" of its tokens')
    .option(
      '--retention <period>',
      'how long answers stay: 35d to 36500d, or 2mo to 1200mo; "none" for ever',
      parseRetentionFlag,
    )
    .option(
      '--smallest-cell <count>',
      `ratings that are shown together at least to who may not read comments, 1 to ${MOST_SMALLEST_CELL}`,
      parseSmallestCell,
    );
}

/** `default` clears. */
const unlessDefault = (text: string | undefined): string | null | undefined =>
  text === 'default' ? null : text;

const isOn = (mode: 'on' | 'off' | undefined): boolean | undefined =>
  mode === undefined ? undefined : mode === 'on';

export function toChange(flags: ProjectFlags): ProjectChange {
  return {
    name: flags.name,
    displayName: unlessDefault(flags.displayName),
    accent: unlessDefault(flags.accent),
    allowedOrigins: flags.allowedOrigins,
    tokenLifetimeMs: flags.tokenLifetime,
    linkLifetimeMs: flags.linkLifetime,
    impressions: isOn(flags.impressions),
    redact: isOn(flags.redact),
    typesUnlessSaid: flags.typesUnlessSaid,
    identity: flags.identity,
    identityProvider: providerOf(flags),
    smallestCell: flags.smallestCell,
    limits: {
      quietPeriodMs: flags.quietPeriod,
      quietAfterDismissalMs: flags.quietAfterDismissal === 'default' ? null : flags.quietAfterDismissal,
      monthlyCap: flags.monthlyCap,
      monthlyQuota: flags.monthlyQuota === 'none' ? null : flags.monthlyQuota,
      maxShows: flags.maxShows,
      showWindowMs: flags.showWindow,
    },
    rates: {
      publishable: flags.ratePublishable,
      secret: flags.rateSecret,
      address: flags.rateAddress === 'default' ? null : flags.rateAddress,
      genuine: flags.rateGenuine === 'default' ? null : flags.rateGenuine,
      genuineAddress: flags.rateGenuineAddress === 'default' ? null : flags.rateGenuineAddress,
    },
  };
}

/**
 * A new project's settings where the flags name them, the defaults where they do not.
 * @param now milliseconds since the epoch
 */
export function toSettings({ monthlyQuota, rateAddress: address, ...flags }: ProjectFlags, now: number) {
  return {
    name: flags.name ?? '',
    displayName: unlessDefault(flags.displayName) ?? undefined,
    accent: unlessDefault(flags.accent) ?? undefined,
    allowedOrigins: flags.allowedOrigins ?? [],
    tokenLifetimeMs: flags.tokenLifetime ?? DEFAULT_TOKEN_LIFETIME_MS,
    linkLifetimeMs: flags.linkLifetime,
    impressions: isOn(flags.impressions),
    redact: isOn(flags.redact),
    typesUnlessSaid: flags.typesUnlessSaid ?? DEFAULT_TYPES_UNLESS_SAID,
    identity: flags.identity,
    identityProvider: providerOf(flags) ?? undefined,
    retention: newRetention(retentionOf(flags) ?? null, now),
    smallestCell: flags.smallestCell ?? DEFAULT_SMALLEST_CELL,
    limits: {
      quietPeriodMs: flags.quietPeriod ?? DEFAULT_LIMITS.quietPeriodMs,
      monthlyCap: flags.monthlyCap ?? DEFAULT_LIMITS.monthlyCap,
      ...(typeof flags.quietAfterDismissal === 'number' && {
        quietAfterDismissalMs: flags.quietAfterDismissal,
      }),
      ...(typeof monthlyQuota === 'number' && { monthlyQuota }),
      maxShows: flags.maxShows,
      showWindowMs: flags.showWindow,
    },
    rates: {
      publishable: flags.ratePublishable ?? DEFAULT_RATES.publishable,
      secret: flags.rateSecret ?? DEFAULT_RATES.secret,
      ...(typeof address === 'number' && { address }),
      ...(typeof flags.rateGenuine === 'number' && { genuine: flags.rateGenuine }),
      ...(typeof flags.rateGenuineAddress === 'number' && { genuineAddress: flags.rateGenuineAddress }),
    },
  };
}
