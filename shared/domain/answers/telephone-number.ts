/**
 * A number is recognized if it is international, has an area code in parentheses or the trunk prefix 0 (ITU-T E.123 §2,
 * E.164 §6), or is in national groups. Ungrouped digits may be an order number.
 */

/** Far more than 17 digits with separators need. */
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

/**
 * E.164 §6.1 allows at most 15 digits. Numbers with fewer than eight digits, or that are whole thousands, may be
 * anything.
 */
const isInternational = (run: string, digits: number): boolean =>
  /^\(?\+\(?[1-9]/.test(run) &&
  digits >= 8 &&
  digits <= 15 &&
  !/^\+\d+\.\d+$/.test(run) &&
  !(digits <= 9 && /^\+\d{1,3}(?:[ .]\d{3})+$/.test(run) && run.endsWith('000'));

/** `(030) 123 45 67`, `8 (912) 345-67-89` */
const isAreaCoded = (run: string, digits: number): boolean =>
  digits <= 13 && /^(?:\d{1,3} ?)?\((?:0|\d{2,5})\)[^()]+$/.test(run);

/** Five pairs are a French number. Fewer pairs may be a date or time. */
const PAIRS = /^\d{2}(?:[ ./-]+\d{2})+$/;
/** Postal codes of Brazil and the United States. */
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

/** Recognizes four pairs, as in Denmark and Norway. Rising or falling pairs are more likely sizes or ages. */
function isInPairs(run: string): boolean {
  if (!/^[2-9]\d \d{2} \d{2} \d{2}$/.test(run)) return false;
  const pairs = run.split(' ').map(Number);
  const rises = pairs.slice(1).map((pair, before) => pair > (pairs[before] ?? 0));
  return rises.includes(true) && rises.includes(false);
}
