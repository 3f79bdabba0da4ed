import type { ReadIndex } from '../table/index-reader.ts';
import { contactShardPartition, surveyOfContact, timeOfContact } from '../table/schema.ts';

export interface ContactCount {
  readonly count: number;
  readonly isMore: boolean;
}

export interface ContactCounter {
  /** Counts up to one more than `most`. The index lags, so a contact handled a moment ago may be counted. */
  open(
    projectId: string,
    most: number,
    isWanted: (surveyId: string, at: string) => boolean,
  ): Promise<ContactCount>;
}

const PAGE = 500;

interface ContactCounterParts {
  readonly readIndex: ReadIndex;
  readonly shards: number;
}

export const createContactCounter = ({ readIndex, shards }: ContactCounterParts): ContactCounter => ({
  async open(projectId, most, isWanted) {
    let count = 0;
    for (let shard = 0; shard < shards && count <= most; shard++) {
      const partition = contactShardPartition(projectId, 'open', shard);
      let after: string | undefined;
      do {
        const page = await readIndex({ index: 'byContact', partition, limit: PAGE, after });
        const orders = new Set(page.entries.map(({ order }) => order));
        count += [...orders].filter((order) => isWanted(surveyOfContact(order), timeOfContact(order))).length;
        after = page.more ? page.entries.at(-1)?.order : undefined;
      } while (after !== undefined && count <= most);
    }
    return { count: Math.min(count, most), isMore: count > most };
  },
});
