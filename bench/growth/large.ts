/** Pending scores, export and purge of projects of up to 100,000 answers. */

import { exportResponses } from '../../functions/export-responses.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { createExportDependencies } from '../../functions/runtime/export-dependencies.ts';
import { createLogger } from '../../functions/runtime/logger.ts';
import { lambdaContext } from '../../local/lambda-context.ts';
import { createPurgeSweep } from '../../shared/data/privacy/purge-sweep.ts';
import { createIndexReader } from '../../shared/data/table/index-reader.ts';
import { createMeteredClient } from '../metered-client.ts';
import { SECRETS, type Stage } from '../stage.ts';
import { median } from '../statistics.ts';
import { gatewayEvent } from '../warm/gateway-event.ts';
import { seedAnswers } from './seed.ts';
import { type GrowthPoint, type GrowthSeries, SERIES } from './series.ts';

const PAGES = 5;

/** @param say is told what is measured next */
export async function measureLarge(
  stage: Stage,
  sizes: readonly number[],
  say: (what: string) => void,
): Promise<GrowthSeries[]> {
  const metered = createMeteredClient(stage.endpoint);
  const { client } = metered;
  const log = createLogger(() => undefined);
  const deps = createExportDependencies(stage.environment, SECRETS, { client, log });
  const readIndex = createIndexReader(client, stage.environment.tableName);
  const sweep = createPurgeSweep(client, stage.environment, readIndex);
  const series: Readonly<Record<'page' | 'exported' | 'purged', GrowthPoint[]>> = {
    page: [],
    exported: [],
    purged: [],
  };

  async function timed(size: number, work: () => Promise<void>): Promise<GrowthPoint> {
    metered.take();
    const startedAt = performance.now();
    await work();
    const ms = performance.now() - startedAt;
    return { size, ms, ...metered.take() };
  }

  for (const size of sizes) {
    say(`growth: a project of ${size.toLocaleString('en-US')} answers`);
    const tenant = await stage.tenant();
    const { projectId, secretKey } = tenant;
    const ask = async (endpoint: typeof exportResponses | typeof listPendingScores, query: string) => {
      const plain = gatewayEvent(endpoint.route, {}, secretKey);
      const headers = { ...plain.headers, 'accept-encoding': 'identity' };
      const event = { ...plain, headers, rawQueryString: query };
      const reply = await endpoint.create(deps)(event, lambdaContext(endpoint.route.name, 30_000));
      if (reply.statusCode !== 200) throw new Error(`${endpoint.route.name}: ${reply.body}`);
      return JSON.parse(reply.body ?? '');
    };
    const start = Date.now();
    await seedAnswers(stage, {
      projectId,
      surveyIds: tenant.surveys.map(({ id }) => id),
      count: size,
      respondentOf: (index) => `person-${index}`,
      momentOf: (index) => start - size + index,
      linked: true,
    });
    await ask(listPendingScores, 'limit=1');
    const pages: GrowthPoint[] = [];
    for (let page = 0; page < PAGES; page += 1) {
      pages.push(await timed(size, () => ask(listPendingScores, 'limit=50')));
    }
    const [first] = pages;
    if (first !== undefined) series.page.push({ ...first, ms: median(pages.map(({ ms }) => ms)) });

    series.exported.push(
      await timed(size, async () => {
        let rows = 0;
        for (let cursor = ''; ; ) {
          const page = await ask(exportResponses, `limit=1000${cursor}`);
          rows += page.count;
          if (page.nextCursor === undefined) break;
          cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
        }
        if (rows !== size) throw new Error(`exported ${rows} of ${size}`);
      }),
    );
    series.purged.push(
      await timed(size, async () => {
        for (let shard = 0; shard < sweep.shards; shard += 1) {
          await sweep.sweepShard({ projectId }, shard, () => false);
        }
        if (await sweep.isAnythingIndexed({ projectId })) throw new Error('something is left');
      }),
    );
  }
  client.destroy();
  return [
    { what: SERIES.pending, points: series.page },
    { what: SERIES.exported, points: series.exported },
    { what: SERIES.purged, points: series.purged },
  ];
}
