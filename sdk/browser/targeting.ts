import type { TargetingRule } from './wire.ts';

/**
 * Whether all rules hold. A trait that is `null` counts as absent. Order (`gt`, `lt`, `gte`, `lte`) exists between two
 * numbers or two strings (so ISO dates compare) and nowhere else; `exists` with the value `false` asks for absence. A
 * rule of a kind that this client does not know does not hold.
 */
export function isTargeted(
  traits: Readonly<Record<string, unknown>>,
  rules: readonly TargetingRule[] = [],
): boolean {
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
