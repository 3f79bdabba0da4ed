/** What a bootstrap costs as a respondent's history and a project's surveys grow. */

import { randomBytes } from 'node:crypto';
import { bootstrap } from '../../functions/bootstrap.ts';
import { createDependencies } from '../../functions/runtime/dependencies.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { DEMO_SURVEYS } from '../../local/demo-surveys.ts';
import { lambdaContext } from '../../local/lambda-context.ts';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { createHistoryFolds } from '../../shared/data/history-folds.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { composeSurveyId, SURVEY_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import { createMeteredClient } from '../metered-client.ts';
import { type BenchTenant, HASH_SECRET, SECRETS, type Stage } from '../stage.ts';
import { median } from '../statistics.ts';
import { gatewayEvent } from '../warm/gateway-event.ts';
import { seedAnswers } from './seed.ts';

export interface GrowthPoint {
  readonly size: number;
  readonly ms: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  readonly calls: string;
}

export interface GrowthSeries {
  readonly what: string;
  readonly points: readonly GrowthPoint[];
}

const RUNS = 15;
const MOST_SURVEYS = 500;
/** Of a history, those of the last month: the default cap, and one more. */
const RECENT = 4;

function bootstrapOf(stage: Stage) {
  const metered = createMeteredClient(stage.endpoint);
  const log = createLogger(() => undefined);
  const handler = bootstrap.create(
    createDependencies(stage.environment, SECRETS, { client: metered.client, log }),
  );
  const once = async ({ publishableKey: key }: BenchTenant, userId: string): Promise<void> => {
    const reply = await handler(
      gatewayEvent(bootstrap.route, { key, userId }),
      lambdaContext('bootstrap', 10_000),
    );
    if (reply.statusCode !== 200) throw new Error(`bootstrap: ${reply.body}`);
  };
  return async (tenant: BenchTenant, userId: string, size: number): Promise<GrowthPoint> => {
    await once(tenant, userId);
    metered.take();
    await once(tenant, userId);
    const use = metered.take();
    const times: number[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      const startedAt = performance.now();
      await once(tenant, userId);
      times.push(performance.now() - startedAt);
    }
    metered.take();
    return { size, ms: median(times), ...use };
  };
}

export async function measureHistories(stage: Stage): Promise<GrowthSeries[]> {
  const measure = bootstrapOf(stage);
  const tenant = await stage.tenant();
  const { projectId } = tenant;
  const surveyIds = Array.from({ length: MOST_SURVEYS }, () =>
    composeSurveyId(randomBytes(SURVEY_ID_RANDOM_BYTES)),
  );
  const folds = createHistoryFolds(stage.client, stage.environment);
  const now = Date.now();
  const asRows: GrowthPoint[] = [];
  const folded: GrowthPoint[] = [];
  for (const size of [0, 1, 10, 100, 1_000]) {
    const userId = `history-${size}`;
    const momentOf = (index: number) =>
      now - (index < RECENT ? (index + 1) * 7 * DAY : 32 * DAY + index * DAY);
    await seedAnswers(stage, {
      projectId,
      surveyIds,
      count: size,
      respondentOf: () => userId,
      momentOf,
      linked: false,
    });
    asRows.push(await measure(tenant, userId, size));
    await folds.fold({ projectId, respondentHash: respondentHash(HASH_SECRET, projectId, userId) }, now);
    folded.push(await measure(tenant, userId, size));
  }
  return [
    { what: 'bootstrap, answers of a respondent, not folded', points: asRows },
    { what: 'bootstrap, answers of a respondent, folded', points: folded },
  ];
}

export async function measureSurveys(stage: Stage): Promise<GrowthSeries> {
  const measure = bootstrapOf(stage);
  const points: GrowthPoint[] = [];
  for (const size of [1, 10, 100, MOST_SURVEYS]) {
    const contents = Array.from({ length: size }, (_, index) => {
      const content = DEMO_SURVEYS[index % DEMO_SURVEYS.length];
      if (content === undefined) throw new Error('there is no demo survey');
      return { ...content, slug: `survey-${index}` };
    });
    points.push(await measure(await stage.tenant(contents), 'ann', size));
  }
  return { what: 'bootstrap, surveys of a project', points };
}
