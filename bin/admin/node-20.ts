/** Adds what the command line uses and Node 20 lacks. A call, because bundlers drop an import for its side effects. */
export function supportNode20(): void {
  Map.groupBy ??= <Key, Item>(
    items: Iterable<Item>,
    keyOf: (item: Item, index: number) => Key,
  ): Map<Key, Item[]> => {
    const groups = new Map<Key, Item[]>();
    let index = 0;
    for (const item of items) {
      const key = keyOf(item, index);
      groups.set(key, [...(groups.get(key) ?? []), item]);
      index += 1;
    }
    return groups;
  };

  URL.parse ??= (text: string | URL, base?: string | URL): URL | null =>
    URL.canParse(String(text), base === undefined ? undefined : String(base)) ? new URL(text, base) : null;
}
