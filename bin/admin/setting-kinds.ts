/** How the values of project settings are parsed and shown. */

import { InvalidArgumentError } from 'commander';
import { parseAccent } from '../../shared/domain/accent.ts';
import { DAY, formatDuration } from '../../shared/domain/duration.ts';
import { isPlain } from '../../shared/domain/escapes.ts';
import { parseDurationWithin } from './command.ts';

const MOST_COUNT = 1_000_000_000;
const QUIET_PERIOD = { min: 0, max: 3_650 * DAY };

export interface Kind<Value> {
  readonly choices?: readonly string[];
  readonly parse: (text: string) => Value;
  readonly json?: (value: Value) => unknown;
  readonly text?: (value: Value) => string;
}

export const duration = (range: { readonly min: number; readonly max: number }): Kind<number> => ({
  parse: parseDurationWithin(range),
  json: formatDuration,
  text: formatDuration,
});

export const count = ({ least = 0, most = MOST_COUNT, zero = '0' } = {}): Kind<number> => ({
  parse(text) {
    if (/^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  },
  text: (value) => (value === 0 ? zero : String(value)),
});

export const rate: Kind<number> = { ...count(), text: (value) => (value === 0 ? 'no limit' : `${value}/s`) };

const onOffText = (isOn: boolean) => (isOn ? 'on' : 'off');
export const onOff: Kind<boolean> = {
  choices: ['on', 'off'],
  parse: (text) => text === 'on',
  json: onOffText,
  text: onOffText,
};

export const choice = (choices: readonly string[]): Kind<string> => ({ choices, parse: (text) => text });

/** @param most the maximum number of code points */
export const line = (most: number, forbidden: RegExp): Kind<string> => ({
  parse(text) {
    const name = text.trim();
    if (name !== '' && [...name].length <= most && !forbidden.test(name) && isPlain(name)) return name;
    throw new InvalidArgumentError(`It must be 1 to ${most} characters on one line.`);
  },
});

const displayNameLine = line(60, /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u);
export const displayName: Kind<string> = { parse: (text) => displayNameLine.parse(text.normalize()) };

export const accent: Kind<string> = {
  parse(text) {
    const color = parseAccent(text.trim());
    if (color !== undefined) return color;
    throw new InvalidArgumentError('It must be a color as #rgb or #rrggbb, or "default".');
  },
};

/** Returns the origin in the form that browsers send: in lower case and without the default port. */
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

export const origins: Kind<readonly string[]> = {
  parse(text) {
    if (text === 'any') return [];
    if (text.trim() === '') throw new InvalidArgumentError('To allow every origin, write any.');
    return [...new Set(text.split(',').map(parseOrigin))];
  },
  text: (given) => (given.length === 0 ? 'any' : given.join(', ')),
};

export const quiet: Kind<number> = {
  ...duration(QUIET_PERIOD),
  text: (value) => (value === 0 ? 'none' : formatDuration(value)),
};
