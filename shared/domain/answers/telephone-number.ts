/**
 * International, with an area code in parentheses, with trunk prefix 0 (ITU-T E.123 §2, E.164 §6), or in national
 * groups. Ungrouped digits may be an order number.
 */

/** Well above 17 digits with separators. */
export const LONGEST_NUMBER = 50;

export function isTelephoneNumber(run: string): boolean {
  if (run.length > LONGEST_NUMBER) return false;
  const digits = run.replace(/\D/g, '').length;
  if (digits < 7) return false;
  if (run.includes('+')) return isInternational(run, digits);
  if (run.includes('(') || run.includes(')')) return isAreaCoded(run, digits);
  if (!/\D/.test(run)) return false;
  return isTrunked(run, digits) || NATIONAL.some((shape) => shape.test(run)) || isInPairs(run);
}

/** E.164 §6.1: at most 15 digits. Fewer than eight, or whole thousands, may be any figure. */
const isInternational = (run: string, digits: number): boolean =>
  /^\(?\+\(?[1-9]/.test(run) &&
  digits >= 8 &&
  digits <= 15 &&
  !/^\+\d+\.\d+$/.test(run) &&
  !(digits <= 9 && /^\+\d{1,3}(?:[ .]\d{3})+$/.test(run) && run.endsWith('000'));

/** `(030) 123 45 67`, `8 (912) 345-67-89` */
const isAreaCoded = (run: string, digits: number): boolean =>
  digits <= 13 && /^(?:\d{1,3} ?)?\((?:0|\d{2,5})\)[^()]+$/.test(run);

/** Five pairs are French; fewer may be a date or time. */
const PAIRS = /^\d{2}(?:[ ./-]+\d{2})+$/;
/** Brazil and United States. */
const POSTAL_CODE = /^\d{5}-\d{3,4}$/;

function isTrunked(run: string, digits: number): boolean {
  if (/^0 \d{3} \d{3} \d{2} \d{2}$/.test(run)) return true;
  if (!/^00?[1-9]\d*[ ./-]/.test(run) || POSTAL_CODE.test(run)) return false;
  if (PAIRS.test(run)) return digits === 10;
  return digits >= 8 && digits <= (run.startsWith('00') ? 17 : 13);
}

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

/** Four pairs, as in Denmark and Norway. Rising or falling pairs are more likely sizes or ages. */
function isInPairs(run: string): boolean {
  if (!/^[2-9]\d \d{2} \d{2} \d{2}$/.test(run)) return false;
  const pairs = run.split(' ').map(Number);
  const rises = pairs.slice(1).map((pair, before) => pair > (pairs[before] ?? 0));
  return rises.includes(true) && rises.includes(false);
}
