/** The order in which surveys are asked, while somebody changes it. */

/**
 * One place earlier or later, past those that nobody sees.
 * @param hidden slugs that are stepped over
 */
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

/** Slugs that there are now as somebody has put them; what they do not know yet stands where the service has it. */
export function orderedAs(current: readonly string[], wanted: readonly string[]): readonly string[] {
  const there = new Set(current);
  const known = new Set(wanted);
  const kept = wanted.filter((slug) => there.has(slug));
  let next = 0;
  return current.map((slug) => (known.has(slug) ? (kept[next++] ?? slug) : slug));
}

export interface Ordering {
  /** As it was stored when somebody began to move. */
  readonly base: readonly string[];
  /** As they have it. */
  readonly mine: readonly string[];
  /** As somebody else has stored it meanwhile: to be decided before anything is stored. */
  readonly theirs?: readonly string[];
}

/** Whether slugs that are in both stand otherwise. */
function isReordered(before: readonly string[], after: readonly string[]): boolean {
  const common = (these: readonly string[], those: readonly string[]) =>
    these.filter((slug) => those.includes(slug)).join();
  return common(before, after) !== common(after, before);
}

/** Whether somebody has moved anything that is not stored. */
export const isMoved = ({ base, mine }: Ordering): boolean => isReordered(base, mine);

const areSlugs = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === 'string');

/** Whether what a tab kept is an order: an earlier release may have kept something else. */
export const isOrdering = (value: unknown): value is Ordering =>
  typeof value === 'object' &&
  value !== null &&
  'base' in value &&
  areSlugs(value.base) &&
  'mine' in value &&
  areSlugs(value.mine) &&
  (!('theirs' in value) || areSlugs(value.theirs));

/** The order that is found in the service, beside what somebody has moved already. */
export function meetOrder({ base, mine }: Ordering, found: readonly string[]): Ordering {
  if (!isReordered(base, mine)) return { base: found, mine: found };
  if (isReordered(base, found) && isReordered(mine, found)) return { base, mine, theirs: found };
  return { base: found, mine: orderedAs(found, mine) };
}

/** The order once somebody has decided: only their own moves, or only those of the other one, hold. */
export const decideOrder = (ordering: Ordering, side: 'theirs' | 'mine'): Ordering => {
  const { mine, theirs } = ordering;
  if (theirs === undefined) return ordering;
  return { base: theirs, mine: side === 'theirs' ? theirs : orderedAs(theirs, mine) };
};
