/** Counting changes of answers and shows into totals and results. */

import type { CountedChange } from '../../shared/data/results/additions.ts';
import type { CountStore } from '../../shared/data/results/count-store.ts';
import type { SurveySegments } from '../../shared/data/results/survey-segments.ts';
import { respondentOfPartition } from '../../shared/data/table/schema.ts';
import {
  type CountedAnswer,
  listContributions,
  listShowContributions,
} from '../../shared/domain/contribution.ts';
import type { Segment } from '../../shared/domain/segments.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Change, ChangeConsumer } from './changes.ts';

interface CountingOptions {
  readonly counts: CountStore;
  readonly segments: SurveySegments;
  readonly log: Logger;
}

function countShows(change: Change): CountedChange {
  const { projectId } = respondentOfPartition(String(change.newRow?.pk)) ?? {};
  const contributions = projectId === undefined ? [] : listShowContributions(projectId, change);
  return { id: change.id, contributions };
}

/** @throws when the table does not answer; what was counted is not counted again */
export function createCounting({ counts, segments, log }: CountingOptions): ChangeConsumer {
  async function findSegments(changes: readonly Change[]) {
    const answers = changes
      .flatMap(({ before, after }) => [before, after])
      .filter((answer) => answer !== undefined);
    const known = await segments.of(answers);
    return ({ projectId, surveyId }: CountedAnswer): readonly Segment[] | undefined =>
      known.get(projectId)?.get(surveyId);
  }

  return async (changes) => {
    const ofAnswers = changes.filter(({ before, after }) => before !== undefined || after !== undefined);
    const ofShows = changes.filter(({ showsAfter }) => showsAfter.length > 0);
    if (ofAnswers.length + ofShows.length === 0) return;
    const segmentsByAnswer = await findSegments(ofAnswers);
    const counted = [
      ...ofAnswers.map(
        (change): CountedChange => ({
          id: change.id,
          contributions: listContributions(change, segmentsByAnswer),
        }),
      ),
      ...ofShows.map(countShows),
    ];
    await counts.count(
      counted.filter(({ contributions }) => contributions.length > 0),
      (error) => log.error({ message: 'results were not counted', error }),
    );
  };
}
