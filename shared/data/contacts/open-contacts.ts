import type { IsGoneAnswer } from '../../domain/gone-answers.ts';
import type { ReadIndex } from '../table/index-reader.ts';
import { contactShardPartition, surveyOfContact, timeOfContact } from '../table/schema.ts';

/** Of each shard, about two read units. */
const MOST_OF_SHARD = 40;

export interface OpenContacts {
  readonly bySurvey: ReadonlyMap<string, number>;
  readonly more: boolean;
}

export interface OpenContactCount {
  open(projectId: string, isGone: IsGoneAnswer): Promise<OpenContacts>;
}

interface OpenContactParts {
  readonly readIndex: ReadIndex;
  readonly shards: number;
}

export function createOpenContacts({ readIndex, shards }: OpenContactParts): OpenContactCount {
  return {
    async open(projectId, isGone) {
      const pages = await Promise.all(
        Array.from({ length: shards }, (_, shard) => {
          const partition = contactShardPartition(projectId, 'open', shard);
          return readIndex({ index: 'byContact', partition, descending: true, limit: MOST_OF_SHARD });
        }),
      );
      const bySurvey = new Map<string, number>();
      for (const { order } of pages.flatMap(({ entries }) => entries)) {
        const surveyId = surveyOfContact(order);
        if (isGone(surveyId, timeOfContact(order))) continue;
        bySurvey.set(surveyId, (bySurvey.get(surveyId) ?? 0) + 1);
      }
      return { bySurvey, more: pages.some(({ more }) => more) };
    },
  };
}
