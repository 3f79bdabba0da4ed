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
