/** What a bootstrap costs as a respondent's history and a project's surveys grow. */

import { randomBytes } from 'node:crypto';
import { bootstrap } from '../../functions/bootstrap.ts';
import { createDependencies } from '../../functions/runtime/dependencies.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { DEMO_SURVEYS } from '../../local/demo-surveys.ts';
import { lambdaContext } from '../../local/lambda-context.ts';
import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { createHistoryFolds } from '../../shared/data/answers/history-folds.ts';
import { DAY } from '../../shared/domain/duration.ts';
import { composeSurveyId, SURVEY_ID_RANDOM_BYTES } from '../../shared/domain/ids.ts';
import { createMeteredClient } from '../metered-client.ts';
import { type BenchTenant, HASH_SECRET, SECRETS, type Stage } from '../stage.ts';
import { median } from '../statistics.ts';
import { gatewayEvent } from '../warm/gateway-event.ts';
import { seedAnswers } from './seed.ts';
import { type GrowthPoint, type GrowthSeries, SERIES } from './series.ts';

const SILENT = createLogger(() => undefined);
const RUNS = 15;
const MOST_SURVEYS = 500;
/** Of a history, those of the last month: the default cap, and one more. */
const RECENT = 4;

function bootstrapOf(stage: Stage) {
  const metered = createMeteredClient(stage.endpoint);
  const handler = bootstrap.create(
    createDependencies(stage.environment, SECRETS, { client: metered.client, log: SILENT }),
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
    { what: SERIES.asRows, points: asRows },
    { what: SERIES.folded, points: folded },
  ];
}

/** A bootstrap of an instance that knows nothing yet: it reads the settings, all surveys of the project. */
async function coldBootstrapOf(stage: Stage, { publishableKey: key }: BenchTenant, size: number) {
  const metered = createMeteredClient(stage.endpoint);
  const times: number[] = [];
  let use = metered.take();
  for (let run = 0; run < RUNS; run += 1) {
    const deps = createDependencies(stage.environment, SECRETS, { client: metered.client, log: SILENT });
    const event = gatewayEvent(bootstrap.route, { key, userId: `cold-${run}` });
    const startedAt = performance.now();
    const reply = await bootstrap.create(deps)(event, lambdaContext('bootstrap', 10_000));
    times.push(performance.now() - startedAt);
    if (reply.statusCode !== 200) throw new Error(`bootstrap: ${reply.body}`);
    use = metered.take();
  }
  metered.client.destroy();
  return { size, ms: median(times), ...use };
}

/** @param sizes surveys of a project, at most 500 */
export async function measureSurveys(
  stage: Stage,
  sizes: readonly number[] = [1, 10, 100, MOST_SURVEYS],
): Promise<GrowthSeries[]> {
  const measure = bootstrapOf(stage);
  const points: GrowthPoint[] = [];
  const cold: GrowthPoint[] = [];
  for (const size of sizes) {
    const contents = Array.from({ length: size }, (_, index) => {
      const content = DEMO_SURVEYS[index % DEMO_SURVEYS.length];
      if (content === undefined) throw new Error('there is no demo survey');
      return { ...content, slug: `survey-${index}` };
    });
    const tenant = await stage.tenant(contents);
    points.push(await measure(tenant, 'ann', size));
    cold.push(await coldBootstrapOf(stage, tenant, size));
  }
  return [
    { what: SERIES.surveys, points },
    { what: SERIES.coldSurveys, points: cold },
  ];
}
