/** Whom a survey is meant for: traits by its rules, and the sample. */

import type { TargetingRule } from './survey.ts';

/** As the browser has it from the service, and as the command line has it. */
type Rule = Omit<TargetingRule, 'value'> & { readonly value?: TargetingRule['value'] | undefined };

/**
 * Whether all rules hold. A trait that is `null` counts as absent. Order (`gt`, `lt`, `gte`, `lte`) exists between two
 * numbers or two strings (so ISO dates compare) and nowhere else; `exists` with the value `false` asks for absence. A
 * rule of a kind that this client does not know does not hold.
 */
export function isTargeted(traits: Readonly<Record<string, unknown>>, rules: readonly Rule[] = []): boolean {
  return rules.every(({ trait: name, op, value }) => {
    const trait = traits[name] ?? null;
    const ordered =
      (typeof trait === 'number' && typeof value === 'number') ||
      (typeof trait === 'string' && typeof value === 'string');
    return {
      exists: (trait === null) === (value === false),
      eq: trait === value,
      neq: trait !== value,
      in: Array.isArray(value) && value.some((one) => one === trait),
      gt: ordered && trait > value,
      lt: ordered && trait < value,
      gte: ordered && trait >= value,
      lte: ordered && trait <= value,
    }[op];
  });
}

/**
 * 32-bit FNV-1a over the UTF-16 code units of `respondent`, NUL, `survey` (docs/contract.md §6.4): the same number in
 * every client, so that sampling is sticky wherever a person turns up. In the sample when, modulo 100, it is below
 * `samplePercent`.
 */
export function stickyHash(respondent: string, survey: string): number {
  const text = `${respondent}\0${survey}`;
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** What a pattern and a path are compared by. One `/` at the end says nothing. */
const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

/**
 * Whether one of the patterns fits a path (docs/contract.md §6.8): `*` is a part, `**` at the end any rest, also none; all
 * else is compared as it is.
 *
 * @param path as `location.pathname` has it
 */
export function isOnPage(patterns: readonly string[], path: string): boolean {
  const parts = partsOf(path);
  return patterns.some((pattern) => {
    const wanted = partsOf(pattern);
    const isOpen = wanted.at(-1) === '**' && wanted.pop();
    return (
      (isOpen ? parts.length >= wanted.length : parts.length === wanted.length) &&
      wanted.every((part, at) => part === parts[at] || (part === '*' && parts[at]))
    );
  });
}
