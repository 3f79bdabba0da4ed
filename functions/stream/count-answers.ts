import type { CountedChange, Uncountable } from '../../shared/data/results/count-store.ts';
import { respondentOfPartition } from '../../shared/data/table/schema.ts';
import {
  type FindCounting,
  listContributions,
  listShowContributions,
} from '../../shared/domain/results/contribution.ts';
import { log, type Service } from '../runtime/compose.ts';
import { counts, surveyCountings } from '../runtime/parts/results.ts';
import type { Change, ChangeConsumer } from './consume.ts';

/** A recount changes the survey's generations three times, and recounts may follow each other. */
const MOST_ATTEMPTS = 5;

const isCounted = ({ before, after, showsAfter }: Change): boolean =>
  before !== undefined || after !== undefined || showsAfter.length > 0;

const projectOf = ({ newRow }: Change): string | undefined =>
  respondentOfPartition(String(newRow?.pk))?.projectId;

function listSurveys(change: Change) {
  const answers = [change.before, change.after].filter((answer) => answer !== undefined);
  const projectId = projectOf(change);
  const shows =
    projectId === undefined ? [] : change.showsAfter.map(({ surveyId }) => ({ projectId, surveyId }));
  return [...answers, ...shows];
}

function toCounted(change: Change, find: FindCounting): CountedChange {
  const projectId = projectOf(change);
  const shows = projectId === undefined ? [] : listShowContributions(projectId, change, find);
  return { id: change.id, contributions: [...listContributions(change, find), ...shows] };
}

/**
 * Changes that cannot be counted are skipped, because they would block all later ones. A recount restores results, but
 * not totals and impressions.
 */
export function createCounting(service: Service): ChangeConsumer {
  const [store, countings] = [counts(service), surveyCountings(service)];
  const report = ({ projectId, records, lost, error }: Uncountable) =>
    log(service).error({
      message: lost === 'totals' ? 'answers were not counted' : 'results were not counted',
      ...(projectId !== undefined && { projectId }),
      measures: { uncounted: records },
      error,
    });

  function countable(change: Change, find: FindCounting): readonly CountedChange[] {
    try {
      return [toCounted(change, find)];
    } catch (error) {
      log(service).error({
        message: 'a change was not counted',
        record: change.id,
        measures: { uncounted: 1 },
        error,
      });
      return [];
    }
  }

  async function count(changes: readonly Change[], isRepeated: boolean): Promise<readonly Change[]> {
    const ofProject = (id: string) =>
      changes.filter((change) => listSurveys(change).some(({ projectId }) => projectId === id));
    const find = await countings.of(changes.flatMap(listSurveys), isRepeated, (projectId, error) =>
      report({ projectId, records: ofProject(projectId).length, lost: 'results', error }),
    );
    const counted = changes.flatMap((change) => countable(change, find));
    const left = await store.count(
      counted.filter(({ contributions }) => contributions.length > 0),
      report,
    );
    const ids = new Set(left.map(({ id }) => id));
    return changes.filter(({ id }) => ids.has(id));
  }

  return async (changes) => {
    let left = changes.filter(isCounted);
    for (let attempt = 1; left.length > 0; attempt++) {
      if (attempt > MOST_ATTEMPTS) throw new Error('the generation of the results kept changing');
      left = [...(await count(left, attempt > 1))];
    }
  };
}
