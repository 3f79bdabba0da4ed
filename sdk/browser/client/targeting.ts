import type { TargetingRule } from './survey.ts';

type Rule = Omit<TargetingRule, 'value'> & { readonly value?: TargetingRule['value'] | undefined };

/**
 * All rules must match, and unknown kinds never do. A `null` trait counts as absent. `gt`, `lt`, `gte` and `lte`
 * compare two numbers or two strings, such as ISO dates. `exists: false` requires absence.
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

const partsOf = (path: string): string[] => path.replace(/\/$/, '').split('/');

/**
 * `*` matches one segment, a final `**` any rest or none (docs/contract.md §6.8).
 *
 * @param path as in `location.pathname`
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
