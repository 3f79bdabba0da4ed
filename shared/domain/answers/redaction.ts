/**
 * Texts are redacted before they are stored (docs/contract.md §9.8, decision 72). Matching takes linear time:
 * quantifiers before a part that can fail are bounded, and an unbounded one is followed by a different character.
 */

import { once } from '../memory.ts';
import { TEXT_CHARACTERS } from './answer.ts';
import { isTelephoneNumber, LONGEST_NUMBER } from './telephone-number.ts';

const E_MAIL = '[e-mail]';
const NUMBER = '[number]';

/** Code units of context on each side of a number. */
const CONTEXT = 12;

/** A half-open range in code units. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly word: typeof E_MAIL | typeof NUMBER;
}

/** The zeros of other scripts, each followed by its other nine digits. */
const ZEROS = { arabic: 0x660, persian: 0x6f0, devanagari: 0x966, bengali: 0x9e6, thai: 0xe50, wide: 0xff10 };

const plainUnits = once(
  () =>
    new Map([
      ...Object.values(ZEROS).flatMap((zero) =>
        Array.from({ length: 10 }, (_, digit) => [String.fromCharCode(zero + digit), String(digit)] as const),
      ),
      ...[...'\u00a0\u2007\u2009\u202f\u3000'].map((space) => [space, ' '] as const),
      ...[...'\u2010\u2011\u2012\u2013\u2014\u2212\uff0d'].map((dash) => [dash, '-'] as const),
      ['＋', '+'],
      ['（', '('],
      ['）', ')'],
      ['．', '.'],
      ['／', '/'],
      ['＠', '@'],
    ]),
);

/** Replaces digits, spaces, dashes and signs with their ASCII forms. The length stays the same. */
function toPlain(text: string): string {
  const units = plainUnits();
  return text.replace(/[^\0-\x7f]/g, (unit) => units.get(unit) ?? unit);
}

function replaced(text: string, spans: readonly Span[], word: (span: Span) => string): string {
  let [kept, from] = ['', 0];
  for (const span of spans) {
    kept += text.slice(from, span.start) + word(span);
    from = span.end;
  }
  return kept + text.slice(from);
}

/** Blanks have the length of the text, so that offsets stay correct. */
const blanks = (text: string): string => '\0'.repeat(text.length);
const blank = ({ start, end }: Span): string => '\0'.repeat(end - start);

/**
 * A dotted `atom` (RFC 5322 §3.2.3, letters of RFC 6531 §3.3) in one script, because Japanese sets no space before it.
 * A domain has a dot and ends in letters. Quoted local parts and literal addresses do not match.
 */
const address = once(() => {
  const shared = "0-9!#$%&'*+/=?^_`{|}~.\\-";
  const latin = '\\p{Script=Latin}\\p{M}';
  const foreign = '(?!\\p{Script=Latin})[\\p{L}\\p{M}]';
  const local = `(?:(?:${foreign}|[${shared}]){0,55}${foreign}[${shared}]{0,8}|[${latin}0-9_+][${latin}${shared}]{0,63})`;
  const label = '[\\p{L}\\p{M}0-9][\\p{L}\\p{M}0-9\\-]{0,62}\\.';
  const top = '(?:[xX][nN]--[a-zA-Z0-9\\-]{1,59}|\\p{Script=Latin}{2,24}|[\\p{L}\\p{M}]{2,24})';
  return new RegExp(`(?<=(${local}))@(?:${label}){1,8}${top}`, 'u');
});

function listAddresses(plain: string): Span[] {
  const spans: Span[] = [];
  // The next local part cannot extend into a match.
  for (let from = 0; ; ) {
    const match = address().exec(plain.slice(from));
    if (match === null) return spans;
    const at = from + match.index;
    from = at + match[0].length;
    spans.push({ start: at - (match[1] ?? '').length, end: from, word: E_MAIL });
  }
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = Number(digits[digits.length - 1 - place]);
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A card number has 14 to 19 digits, ungrouped or in the groups that are printed on the card (ISO/IEC 7812-1). */
const CARD =
  /(?<!\d)(?:\d{4}([ .-]?)\d{4}\1\d{4}\1\d{4}(?:\1\d{3})?|\d{4}([ .-])\d{6}\2\d{4,5}|\d{14,19})(?!\d)/g;

/** Checks prefixes and lengths too, because one in ten numbers passes the Luhn check. */
const ISSUED =
  /^(?:4\d{15}(?:\d{3})?|5[0-8]\d{14}|2[2-7]\d{14}|3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35\d{14}|6\d{15,18}|9792\d{12})$/;

const isCard = (text: string): boolean => {
  const digits = text.replace(/\D/g, '');
  return ISSUED.test(digits) && hasLuhnDigit(digits);
};

function listCards(plain: string): Span[] {
  const spans: Span[] = [];
  const pattern = new RegExp(CARD);
  for (let match = pattern.exec(plain); match !== null; match = pattern.exec(plain)) {
    const [text] = match;
    // The last three digits may be a security code.
    const found = [text, text.replace(/\D\d{3}$/, '')].find(isCard);
    // Any group may start the next card.
    const end = match.index + (found ?? /^\d+/.exec(text)?.[0] ?? text).length;
    if (found !== undefined) spans.push({ start: match.index, end, word: NUMBER });
    pattern.lastIndex = end;
  }
  return spans;
}

/** IBANs (ISO 13616), whose groups can look like a card number. */
const ACCOUNT = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){3,7}(?: ?[A-Z\d]{1,3})?\b/g;

/** Dates, months and times are never part of a telephone number. */
const DATE =
  /(?<![\d+]|\d[./-])(?:\d{4}([./-] ?)\d{1,2}\1\d{1,2}|\d{1,2}([./-] ?)\d{1,2}\2(?:\d{4}|\d{2})|(?:0?[1-9]|1[0-2])[./-](?:19|20)\d{2}|\d{1,2}:\d{2})(?![./-]?\d)/g;

/** Groups of digits with separators; some groups are in parentheses. */
const RUN = /\+?(?:\(\+?\d{1,5}\)|\d+)(?:(?: ?[/-] ?|[ .])?\(\d{1,5}\)|(?:(?: ?[/-] ?|[ .])|(?<=\)))\d+)*/g;

/** A run may be two numbers at ` / `, at ` - `, and before a leading 0. */
const BETWEEN = /( [/-] | (?=\(?0))/;

/** `+33 (0)1 23 45 67 89` has seven groups. */
const MOST_GROUPS = 8;

const THOUSANDS = /^\d{1,3}(?: \d{3})+$/;

/**
 * Neighbors that show that a number is not a telephone number: digits, currencies, percentages, code letters, number
 * signs.
 */
const context = once(() => {
  const codes = 'EUR|USD|GBP|CHF|JPY|PLN|CZK|SEK|NOK|DKK|kr|zł|Kč|Ft|TL|руб|грн';
  const currency = `(?:[\\p{Sc}%円元원]|(?<!\\p{L})(?:${codes})(?!\\p{L}))`;
  const numbered = '[#№] |(?<!tel\\W{0,3})(?<!\\p{L})(?:no|nr)[.:°]{0,2} ?|n[°º] ?';
  return {
    code: new RegExp(`(?:[\\p{Script=Latin}#№][_/-]?|${numbered})$`, 'iu'),
    figure: new RegExp(`(?:\\d[_/,:-]?|${currency} ?)$`, 'iu'),
    figureAfter: new RegExp(`^(?:,\\d| ?${currency})`, 'iu'),
  };
});

const beforeOf = (plain: string, place: number, gone: Span | undefined): string =>
  plain.slice(Math.max(0, place - CONTEXT, gone?.end ?? 0), place);

/** Takes the longest number from each piece, so that the rest contains none. */
function listTelephoneNumbers(plain: string): Span[] {
  const { code, figure, figureAfter } = context();
  const spans: Span[] = [];
  for (const { 0: run, index } of plain.matchAll(RUN)) {
    const end = index + run.length;
    const before = beforeOf(plain, index, spans.at(-1));
    const isCoded = !run.includes('+') && code.test(before);
    const isFigure = figure.test(before) || figureAfter.test(plain.slice(end, end + CONTEXT));
    if (isCoded || isFigure || (THOUSANDS.test(run) && !isTelephoneNumber(run))) continue;
    // Pieces and separators alternate.
    const parts = run.split(BETWEEN);
    let start = index;
    for (let first = 0; first < parts.length; ) {
      const { count, number } = longestFrom(parts, first);
      if (count > 0) spans.push({ start, end: start + number.length, word: NUMBER });
      const next = first + Math.max(count, 1) + 1;
      start += parts.slice(first, next).join('').length;
      first = next;
    }
  }
  return spans;
}

function longestFrom(
  parts: readonly string[],
  first: number,
): { readonly count: number; readonly number: string } {
  let [joined, longest] = ['', { count: 0, number: '' }];
  const most = Math.min(parts.length, first + 2 * MOST_GROUPS);
  for (let last = first; last < most; last += 2) {
    joined += (last === first ? '' : (parts[last - 1] ?? '')) + (parts[last] ?? '');
    if (joined.length > LONGEST_NUMBER) break;
    if (isTelephoneNumber(joined)) longest = { count: last - first + 1, number: joined };
  }
  return longest;
}

function redactedOnce(text: string): string {
  const plain = toPlain(text);
  const addresses = listAddresses(plain);
  const withoutAddresses = replaced(plain, addresses, blank);
  const withoutAccounts = withoutAddresses.replace(ACCOUNT, blanks);
  const cards = listCards(withoutAccounts);
  const others = replaced(withoutAccounts, cards, blank).replace(DATE, blanks);
  const spans = [...addresses, ...cards, ...listTelephoneNumbers(others)];
  return replaced(
    text,
    spans.sort((a, b) => a.start - b.start),
    ({ word }) => word,
  );
}

const MAY_HOLD = /[@＠]|\p{Nd}/u;

/** Idempotent. Cuts the text to its maximum length. */
export function redactText<Text extends string | undefined>(text: Text): Text | string {
  if (text === undefined || !MAY_HOLD.test(text)) return text;
  const redacted = redactedOnce(text);
  if (redacted === text || redacted.length <= TEXT_CHARACTERS) return redacted;
  const characters = Array.from(redacted);
  if (characters.length <= TEXT_CHARACTERS) return redacted;
  // The cut may create a new number.
  return redactText(characters.slice(0, TEXT_CHARACTERS).join(''));
}
