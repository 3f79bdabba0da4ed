export function moved(
  order: readonly string[],
  slug: string,
  by: -1 | 1,
  hidden: ReadonlySet<string>,
): readonly string[] {
  const from = order.indexOf(slug);
  let to = from + by;
  while (hidden.has(order[to] ?? '')) to += by;
  if (from < 0 || order[to] === undefined) return order;
  const others = order.filter((each) => each !== slug);
  return [...others.slice(0, to), slug, ...others.slice(to)];
}

/** Slugs that are not in `wanted` keep their place. */
export function orderedAs(current: readonly string[], wanted: readonly string[]): readonly string[] {
  const there = new Set(current);
  const known = new Set(wanted);
  const kept = wanted.filter((slug) => there.has(slug));
  let next = 0;
  return current.map((slug) => (known.has(slug) ? (kept[next++] ?? slug) : slug));
}

export interface Ordering {
  /** The stored order that the moves began from. */
  readonly base: readonly string[];
  readonly mine: readonly string[];
  /** An order that someone else stored since then. */
  readonly theirs?: readonly string[];
}

/** Compares only slugs that are in both. */
function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const common = (these: readonly string[], those: readonly string[]) =>
    these.filter((slug) => those.includes(slug)).join();
  return common(before, after) !== common(after, before);
}

export const isMoved = ({ base, mine }: Ordering): boolean => isReordered(base, mine);

const areSlugs = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

export const isOrdering = (value: unknown): value is Ordering =>
  typeof value === 'object' &&
  value !== null &&
  'base' in value &&
  areSlugs(value.base) &&
  'mine' in value &&
  areSlugs(value.mine) &&
  (!('theirs' in value) || areSlugs(value.theirs));

export function meetOrder({ base, mine }: Ordering, found: readonly string[]): Ordering {
  if (!isReordered(base, mine)) return { base: found, mine: found };
  if (isReordered(base, found) && isReordered(mine, found)) return { base, mine, theirs: found };
  return { base: found, mine: orderedAs(found, mine) };
}

export const decideOrder = (ordering: Ordering, side: 'theirs' | 'mine'): Ordering => {
  const { mine, theirs } = ordering;
  if (theirs === undefined) return ordering;
  return { base: theirs, mine: side === 'theirs' ? theirs : orderedAs(theirs, mine) };
};
