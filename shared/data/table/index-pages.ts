/** Going through a partition of an index, page by page. */

import type { IndexQuery, ReadIndex } from './index-reader.ts';
import type { Key } from './schema.ts';

export interface KeyPage {
  /** Each once, in the order of the index, which may repeat an entry. */
  readonly keys: readonly Key[];
  /** Whether another page is read after this one. */
  readonly more: boolean;
}

/** The pages of a query; the next one is read once it is asked for. A page without keys is the last. */
export async function* eachPage(
  readIndex: ReadIndex,
  query: Omit<IndexQuery, 'after'>,
): AsyncGenerator<KeyPage> {
  for (let after: string | undefined; ; ) {
    const { entries, more } = await readIndex({ ...query, after });
    const keys = [...new Map(entries.map(({ order, key }) => [order, key])).values()];
    yield { keys, more };
    after = entries.at(-1)?.order;
    if (!more || after === undefined) return;
  }
}
