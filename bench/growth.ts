/** How requests, purges and sweeps grow with a respondent's answers, a project's surveys and a project's answers. */

import { bootstrap } from '../functions/bootstrap.ts';
import { exportResponses } from '../functions/export-responses.ts';
import { listPendingScores } from '../functions/list-pending-scores.ts';
import { folds, purgeSweep } from '../functions/runtime/compose.ts';
import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { DEMO_SURVEYS } from '../local/demo/demo-surveys.ts';
import { respondentHash } from '../shared/crypto/derive.ts';
import { DAY } from '../shared/domain/duration.ts';
import { growingAnswers } from './answers.ts';
import { growingExpiry } from './expiry.ts';
import type { Plan } from './plan.ts';
import { figure, type Goal } from './report.ts';
import { browserEvent, serve, TEXT } from './requests.ts';
import { meter, newSurveyId, onStage, SECRETS, type Stage, type Tenant } from './stage.ts';
import { growthExponent, median } from './statistics.ts';

const MOST_SURVEYS = 500;
/** Answers of the last month in a history: the default cap, and one more. */
const RECENT = 4;
const PAGES = 5;
/** Linear, and what rounding to whole units adds. */
const LINEAR = 1.1;

interface Point {
  readonly size: number;
  readonly ms: number;
  readonly 'read units': number;
  readonly 'write units': number;
}

/** A stage whose calls are counted. */
function measureOn(stage: Stage) {
  const client = stage.createClient();
  const takeUse = meter(client);
  const service = stage.compose(client);
  const series = new Map<string, Point[]>();

  /** Notes the median time of so many runs, and what the last of them used. */
  async function note(what: string, size: number, runs: number, work: () => Promise<unknown>): Promise<void> {
    const times: number[] = [];
    let use = takeUse();
    for (let run = 0; run < runs; run += 1) {
      takeUse();
      const startedAt = performance.now();
      await work();
      times.push(performance.now() - startedAt);
      use = takeUse();
    }
    series.set(what, [...(series.get(what) ?? []), { size, ms: median(times), ...use }]);
  }

  /** Requests to one instance, whose replies are not packed. */
  function ask(endpoint: Endpoint, tenant: Tenant) {
    const handle = serve(endpoint, stage.compose(client));
    return async (body: object, query = '') => {
      const { headers, ...event } = browserEvent(endpoint.route, body, tenant, query);
      const plain = { ...event, headers: { ...headers, 'accept-encoding': 'identity' } };
      return JSON.parse((await handle(plain)).body ?? '');
    };
  }
  return { stage, service, series, note, ask };
}

type Measure = ReturnType<typeof measureOn>;

async function histories({ stage, service, note, ask }: Measure, plan: Plan): Promise<void> {
  const tenant = await stage.tenant();
  const { projectId, publishableKey: key } = tenant;
  const surveyIds = Array.from({ length: MOST_SURVEYS }, newSurveyId);
  const boot = ask(bootstrap, tenant);
  await boot({ key, userId: 'first' });
  const now = Date.now();
  for (const size of plan.histories) {
    const userId = `history-${size}`;
    await stage.seed({
      projectId,
      surveyIds,
      count: size,
      respondentOf: () => userId,
      momentOf: (index) => now - (index < RECENT ? (index + 1) * 7 * DAY : 32 * DAY + index * DAY),
      responseOf: () => ({ text: TEXT }),
    });
    const what = 'bootstrap, answers of a respondent';
    await note(`${what}, not folded`, size, plan.requests, () => boot({ key, userId }));
    const hash = respondentHash(Buffer.from(SECRETS.hash), projectId, userId);
    await folds(service).fold({ projectId, respondentHash: hash }, now);
    await note(`${what}, folded`, size, plan.requests, () => boot({ key, userId }));
  }
}

async function surveys({ stage, note, ask }: Measure, plan: Plan): Promise<void> {
  for (const size of plan.surveys) {
    const demo = Array.from({ length: Math.ceil(size / DEMO_SURVEYS.length) }, () => DEMO_SURVEYS).flat();
    const contents = demo.slice(0, size).map((content, index) => ({ ...content, slug: `survey-${index}` }));
    const tenant = await stage.tenant(contents);
    const body = { key: tenant.publishableKey, userId: 'ann' };
    const boot = ask(bootstrap, tenant);
    await boot(body);
    await note('bootstrap, surveys of a project', size, plan.requests, () => boot(body));
    const fresh = Array.from({ length: plan.requests }, () => ask(bootstrap, tenant));
    const start = () => fresh.pop()?.(body) ?? Promise.reject();
    await note('bootstrap of a cold instance, surveys of a project', size, plan.requests, start);
  }
}

async function projects({ stage, service, note, ask }: Measure, plan: Plan): Promise<void> {
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
    const list = ask(listPendingScores, tenant);
    const exportPage = ask(exportResponses, tenant);
    async function exportAll(): Promise<void> {
      let rows = 0;
      for (let query = 'limit=1000'; query !== ''; ) {
        const { count, nextCursor } = await exportPage({}, query);
        rows += count;
        query = nextCursor === undefined ? '' : `limit=1000&cursor=${encodeURIComponent(nextCursor)}`;
      }
      if (rows !== size) throw new Error(`exported ${rows} of ${size}`);
    }
    /** As the steps of an account purge delete them. */
    async function purge(): Promise<void> {
      const sweep = purgeSweep(service);
      for (let shard = 0; shard < sweep.shards; shard += 1) {
        await sweep.sweepShard({ projectId }, shard, () => false);
      }
      if (await sweep.isAnythingIndexed({ projectId })) throw new Error('the purge left something');
    }
    await list({}, 'limit=1');
    await exportPage({}, 'limit=1');
    const pending = 'list-pending-scores, first page of 50, pending in the project';
    await note(pending, size, PAGES, () => list({}, 'limit=50'));
    await note('export-responses in pages of 1,000, answers of the project', size, 1, exportAll);
    await note('purge, answers of the project', size, 1, purge);
  }
}

/** The exponent of a power law between the last two points: small sizes hide what comes. */
const lastExponent = (points: readonly Point[], of: (point: Point) => number): number =>
  growthExponent(points.slice(-2).map((point) => [point.size, of(point)]));

export function growth(plan: Plan) {
  return onStage(async (stage) => {
    const measure = measureOn(stage);
    for (const grow of [histories, surveys, projects]) await grow(measure, plan);
    const { rows: answers, goals: answerGoals } = await growingAnswers(plan);
    const { rows: expiry, goals: expiryGoals } = await growingExpiry(plan);
    const rows = [...measure.series].map(([what, points]) => {
      const each = (of: keyof Point) => points.map((point) => figure(point[of])).join('; ');
      return {
        'what grows': what,
        size: each('size'),
        ms: each('ms'),
        'read units': each('read units'),
        'write units': each('write units'),
        'exponent of time': lastExponent(points, ({ ms }) => ms),
        'of units': lastExponent(points, (point) => point['read units'] + point['write units']),
      };
    });
    const goals = rows.map((row): Goal => {
      return { goal: `${row['what grows']}: exponent of units`, measured: row['of units'], atMost: LINEAR };
    });
    return { tables: { points: rows, answers, expiry }, goals: [...goals, ...answerGoals, ...expiryGoals] };
  });
}
