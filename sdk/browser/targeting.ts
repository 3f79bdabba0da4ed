import type { TargetingRule, Traits } from './wire.ts';

/**
 * Whether all rules hold. A trait that is `null` counts as absent. Order (`gt`, `lt`, `gte`, `lte`) exists between two
 * numbers or two strings (so ISO dates compare) and nowhere else; `exists` with the value `false` asks for absence. A
 * rule of a kind that this client does not know does not hold.
 */
export function isTargeted(traits: Traits, rules: readonly TargetingRule[] = []): boolean {
  return rules.every(({ trait: name, op, value }) => {
    const trait = traits[name] ?? null;
    const kind = typeof trait;
    // Of JSON's kinds only `number` and `string` have an r.
    const ordered = kind === typeof value && /r/.test(kind);
    return {
      exists: (trait === null) === (value === false),
      eq: trait === value,
      neq: trait !== value,
      in: Array.isArray(value) && value.includes(trait),
      gt: ordered && (trait as number) > (value as number),
      lt: ordered && (trait as number) < (value as number),
      gte: ordered && (trait as number) >= (value as number),
      lte: ordered && (trait as number) <= (value as number),
    }[op];
  });
}
