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
