/** Reading a query string as forms write it. */

import { loneSurrogate, utf8Text } from './utf8-text.ts';

/** Percent-escapes and pluses resolved; an escape that is none, or no UTF-8, leaves a lone surrogate. */
function decode(text: string): string {
  const parts = text.replaceAll('+', ' ').split(/((?:%[0-9a-f]{2})+|%)/i);
  return parts
    .map((part) => {
      if (part === '%') return loneSurrogate(part.charCodeAt(0));
      return part.startsWith('%') ? utf8Text(Buffer.from(part.replaceAll('%', ''), 'hex')) : part;
    })
    .join('');
}

/** Every name with its values, in order. */
export function readQuery(rawQueryString: string): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const pair of rawQueryString.split('&')) {
    if (pair === '') continue;
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/s.exec(pair) ?? [];
    const key = decode(name);
    values.set(key, [...(values.get(key) ?? []), decode(value)]);
  }
  return values;
}
