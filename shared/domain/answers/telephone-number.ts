/**
 * Whether digits are written as telephone numbers are: internationally, with an area code in parentheses, with the
 * trunk prefix 0 (ITU-T E.123 §2, E.164 §6), or in groups as some country without such a prefix writes them. All
 * digits in a row are none: an order may be numbered so.
 */

/** Characters: far more than 17 digits with what stands between them. */
export const LONGEST_NUMBER = 50;

/** A run of digits with spaces, dots, dashes, slashes and parentheses in it, `+` before it or not. */
export function isTelephoneNumber(run: string): boolean {
  if (run.length > LONGEST_NUMBER) return false;
  const digits = run.replace(/\D/g, '').length;
  if (digits < 7) return false;
  if (run.includes('+')) return isInternational(run, digits);
  if (run.includes('(') || run.includes(')')) return isAreaCoded(run, digits);
  if (!/\D/.test(run)) return false;
  return isTrunked(run, digits) || NATIONAL.some((shape) => shape.test(run)) || isInPairs(run);
}

/** E.164 §6.1: at most 15 digits. Fewer than eight may be any figure with its sign, as may whole thousands. */
const isInternational = (run: string, digits: number): boolean =>
  /^\(?\+\(?[1-9]/.test(run) &&
  digits >= 8 &&
  digits <= 15 &&
  !/^\+\d+\.\d+$/.test(run) &&
  !(digits <= 9 && /^\+\d{1,3}(?:[ .]\d{3})+$/.test(run) && run.endsWith('000'));

/** `(030) 123 45 67`, `8 (912) 345-67-89`: one pair of parentheses, after a digit or a country's at most. */
const isAreaCoded = (run: string, digits: number): boolean =>
  digits <= 13 && /^(?:\d{1,3} ?)?\((?:0|\d{2,5})\)[^()]+$/.test(run);

/** Only five pairs are a French number; fewer are days or times. */
const PAIRS = /^\d{2}(?:[ ./-]+\d{2})+$/;
/** Of Brazil and of the United States. */
const POSTAL_CODE = /^\d{5}-\d{3,4}$/;

/** The trunk prefix 0, or 00 before a country's code, with the rest in groups. */
function isTrunked(run: string, digits: number): boolean {
  if (/^0 \d{3} \d{3} \d{2} \d{2}$/.test(run)) return true;
  if (!/^00?[1-9]\d*[ ./-]/.test(run) || POSTAL_CODE.test(run)) return false;
  if (PAIRS.test(run)) return digits === 10;
  return digits >= 8 && digits <= (run.startsWith('00') ? 17 : 13);
}

/** National groupings without a trunk prefix, the same sign between all groups where `\1` says so. */
const NATIONAL: readonly RegExp[] = [
  /^(?:1[ .-])?[2-9]\d{2}([ .-])\d{3}\1\d{4}$/, // North America, Italy, Greece
  /^[2-9]\d{2}([ -])\d{3}\1\d{3}$/, // Poland, Czechia, Spain, Portugal
  /^[6-9]\d{2} \d{2} \d{2} \d{2}$/, // Spain
  /^3\d{2}(?:[ ./-]\d{7}| \d{2} \d{2} \d{3})$/, // Italy
  /^[1-9]\d \d{3}[ -]\d{2}[ -]\d{2}$/, // Poland
  /^[49]\d{2} \d{2} \d{3}$/, // Norway
  /^1[3-9]\d([ -])\d{4}\1\d{4}$/, // China
  /^[6-9]\d{4}[ -]\d{5}$/, // India
  /^[1-9]\d 9\d{4}-\d{4}$/, // Brazil
  /^69\d{2} \d{3} \d{3}$/, // Greece
  /^8[ -]\d{3}[ -]\d{3}[ -]\d{2}[ -]\d{2}$/, // Russia, whose trunk prefix is 8
];

/** Four pairs as in Denmark and Norway; sizes and ages rise or fall. */
function isInPairs(run: string): boolean {
  if (!/^[2-9]\d \d{2} \d{2} \d{2}$/.test(run)) return false;
  const pairs = run.split(' ').map(Number);
  const rises = pairs.slice(1).map((pair, before) => pair > (pairs[before] ?? 0));
  return rises.includes(true) && rises.includes(false);
}
