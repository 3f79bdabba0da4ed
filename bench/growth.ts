/** How requests and purges grow with a respondent's answers, a project's surveys and a project's answers. */

import { bootstrap } from '../functions/bootstrap.ts';
import { exportResponses } from '../functions/export-responses.ts';
import { listPendingScores } from '../functions/list-pending-scores.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { DEMO_SURVEYS } from '../local/demo/demo-surveys.ts';
import { DAY } from '../shared/domain/duration.ts';
import type { Goal } from './measured.ts';
import { meter } from './meter.ts';
import type { Plan } from './plan.ts';
import { browserEvent, serve, TEXT } from './requests.ts';
import { foldHistory, newSurveyId, onStage, purgeAnswers, type Stage, type Tenant } from './stage.ts';
import { growthExponent, median } from './statistics.ts';

const MOST_SURVEYS = 500;
/** Answers of the last month in a history: the default cap, and one more. */
const RECENT = 4;
const PAGES = 5;
/** Linear, and what rounding to whole units adds. */
const LINEAR = 1.1;

type Point = {
  readonly 'what grows': string;
  readonly size: number;
  readonly ms: number;
  readonly 'read units': number;
  readonly 'write units': number;
  readonly calls: string;
};

/** A stage whose calls are counted. */
function measureOn(stage: Stage) {
  const client = stage.createClient();
  const takeUse = meter(client);

  /** The median time of so many runs, and what the last of them used. */
  async function point(
    what: string,
    size: number,
    runs: number,
    work: () => Promise<unknown>,
  ): Promise<Point> {
    const times: number[] = [];
    let use = takeUse();
    for (let run = 0; run < runs; run += 1) {
      takeUse();
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
      use = takeUse();
    }
    return { 'what grows': what, size, ms: median(times), ...use };
  }

  /** A request to an instance that has served one before. */
  function warmed(endpoint: Endpoint, tenant: Tenant) {
    const handle = serve(endpoint, stage.compose(client));
    return async (body: object, query = '') => {
      const { headers, ...event } = browserEvent(endpoint.route, body, tenant, query);
      const plain = { ...event, headers: { ...headers, 'accept-encoding': 'identity' } };
      return JSON.parse((await handle(plain)).body ?? '');
    };
  }
  return { client, point, warmed };
}

type Measure = ReturnType<typeof measureOn>;

async function histories(stage: Stage, { point, warmed, client }: Measure, plan: Plan): Promise<Point[]> {
  const tenant = await stage.tenant();
  const { projectId, publishableKey: key } = tenant;
  const surveyIds = Array.from({ length: MOST_SURVEYS }, newSurveyId);
  const boot = warmed(bootstrap, tenant);
  await boot({ key, userId: 'first' });
  const now = Date.now();
  const points: Point[] = [];
  for (const folded of [false, true]) {
    const what = `bootstrap, answers of a respondent, ${folded ? 'folded' : 'not folded'}`;
    for (const size of plan.histories) {
      const userId = `history-${size}`;
      if (folded) await foldHistory(stage.compose(client), projectId, userId);
      else {
        await stage.seed({
          projectId,
          surveyIds,
          count: size,
          respondentOf: () => userId,
          momentOf: (index) => now - (index < RECENT ? (index + 1) * 7 * DAY : 32 * DAY + index * DAY),
          responseOf: () => ({ text: TEXT }),
        });
      }
      points.push(await point(what, size, plan.requests, () => boot({ key, userId })));
    }
  }
  return points;
}

async function surveys(stage: Stage, { point, warmed, client }: Measure, plan: Plan): Promise<Point[]> {
  const points: Point[] = [];
  const cold: Point[] = [];
  for (const size of plan.surveys) {
    const demo = Array.from({ length: Math.ceil(size / DEMO_SURVEYS.length) }, () => DEMO_SURVEYS).flat();
    const contents = demo.slice(0, size).map((content, index) => ({ ...content, slug: `survey-${index}` }));
    const tenant = await stage.tenant(contents);
    const body = { key: tenant.publishableKey, userId: 'ann' };
    const boot = warmed(bootstrap, tenant);
    await boot(body);
    const what = 'surveys of a project';
    points.push(await point(`bootstrap, ${what}`, size, plan.requests, () => boot(body)));
    const instances = Array.from({ length: plan.requests }, () => serve(bootstrap, stage.compose(client)));
    const start = () => instances.pop()?.(browserEvent(bootstrap.route, body, tenant)) ?? Promise.reject();
    cold.push(await point(`bootstrap of a cold instance, ${what}`, size, plan.requests, start));
  }
  return [...points, ...cold];
}

async function projects(stage: Stage, { point, warmed, client }: Measure, plan: Plan): Promise<Point[]> {
  const points: Point[][] = [[], [], []];
  for (const size of plan.projects) {
    const tenant = await stage.tenant();
    const { projectId } = tenant;
    const start = Date.now();
    await stage.seed({
      projectId,
      surveyIds: tenant.surveys.map(({ id }) => id),
      count: size,
      momentOf: (index) => start - size + index,
      responseOf: (index) => ({
        text: TEXT,
        attested: { sessionId: `session-${index}` },
        score: { state: 'pending', attempts: 0 },
      }),
    });
    const list = warmed(listPendingScores, tenant);
    const exportPage = warmed(exportResponses, tenant);
    async function exportAll(): Promise<void> {
      let rows = 0;
      for (let query = 'limit=1000'; query !== ''; ) {
        const { count, nextCursor } = await exportPage({}, query);
        rows += count;
        query = nextCursor === undefined ? '' : `limit=1000&cursor=${encodeURIComponent(nextCursor)}`;
      }
      if (rows !== size) throw new Error(`exported ${rows} of ${size}`);
    }
    await list({}, 'limit=1');
    await exportPage({}, 'limit=1');
    const pending = 'list-pending-scores, first page of 50, pending in the project';
    points[0]?.push(await point(pending, size, PAGES, () => list({}, 'limit=50')));
    points[1]?.push(
      await point('export-responses in pages of 1,000, answers of the project', size, 1, exportAll),
    );
    const service = stage.compose(client);
    points[2]?.push(
      await point('purge, answers of the project', size, 1, () => purgeAnswers(service, projectId)),
    );
  }
  return points.flat();
}

/** @returns the exponent of a power law through the points, and between the last two alone */
function exponents(points: readonly Point[], of: (point: Point) => number) {
  const measured = points
    .filter(({ size }) => size > 0)
    .map((point): [number, number] => [point.size, of(point)]);
  return { whole: growthExponent(measured), last: growthExponent(measured.slice(-2)) };
}

export function growth(plan: Plan) {
  return onStage(async (stage) => {
    const measure = measureOn(stage);
    const points = [
      ...(await histories(stage, measure, plan)),
      ...(await surveys(stage, measure, plan)),
      ...(await projects(stage, measure, plan)),
    ];
    const rows = [...Map.groupBy(points, (point) => point['what grows'])].map(([what, series]) => {
      const time = exponents(series, ({ ms }) => ms);
      const used = exponents(series, (point) => point['read units'] + point['write units']);
      return {
        'what grows': what,
        'exponent of time': time.whole,
        'of time, last': time.last,
        'exponent of units': used.whole,
        'of units, last': used.last,
      };
    });
    const longest = points.findLast((point) => point['what grows'].endsWith(', folded'));
    const goals: Goal[] = [
      {
        goal: `bootstrap, ${longest?.size.toLocaleString('en-US')} answers of a respondent: read units`,
        measured: longest?.['read units'] ?? Number.NaN,
        atMost: 3,
      },
      ...rows.map((row) => ({
        goal: `${row['what grows']}: last exponent of units`,
        measured: row['of units, last'],
        atMost: LINEAR,
      })),
    ];
    return { tables: { points, exponents: rows }, goals };
  });
}
