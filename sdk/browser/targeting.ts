import type { TargetingRule, Traits } from './wire.ts';

/**
 * Whether all rules hold. A trait that is `null` counts as absent. Order (`gt`, `lt`, `gte`, `lte`) exists between two
 * numbers or two strings (so ISO dates compare) and nowhere else; `exists` with the value `false` asks for absence. A
 * rule of a kind that this client does not know does not hold.
 */
export function isTargeted(traits: Traits, rules: readonly TargetingRule[] = []): boolean {
  return rules.every(({ trait: name, op, value }) => {
    const trait = traits[name] ?? null;
    if (op === 'exists') return (trait === null) === (value === false);
    if (op === 'eq') return trait === value;
    if (op === 'neq') return trait !== value;
    if (op === 'in') return Array.isArray(value) && value.includes(trait);
    if (
      (typeof trait === 'number' && typeof value === 'number') ||
      (typeof trait === 'string' && typeof value === 'string')
    ) {
      if (op === 'gt') return trait > value;
      if (op === 'lt') return trait < value;
      if (op === 'gte') return trait >= value;
      if (op === 'lte') return trait <= value;
    }
    return false;
  });
}
