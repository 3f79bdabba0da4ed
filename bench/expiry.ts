/** What the nightly sweep of expired answers costs as there are more of them, and what a million would. */

import { PRICES } from '../bin/costs/prices.ts';
import { expirySweep, projects, table } from '../functions/runtime/compose.ts';
import { DEMO_SURVEYS } from '../local/demo/demo-surveys.ts';
import { createSettingsLoader } from '../shared/data/projects/project-record.ts';
import { DAY, MINUTE } from '../shared/domain/duration.ts';
import { newRetention } from '../shared/domain/retention.ts';
import { cpuMs } from './answers.ts';
import type { Plan } from './plan.ts';
import type { Goal, Row } from './report.ts';
import { TEXT } from './requests.ts';
import { meter, onStage, type Stage } from './stage.ts';
import { growthExponent, median } from './statistics.ts';

/** Rounds in which the sizes take turns, upwards and downwards; the first is forgotten. */
const ROUNDS = 5;
const MILLION = 1e6;
/** The bar of the sweep: hardly more than linear, and write units of an answer of up to 1 KB with its indexes. */
const NEARLY_LINEAR = 1.05;
const MOST_WRITE_UNITS = 4;

/** Of a row of less than 1 KB. */
const WORDS = TEXT.padEnd(400, '.');

/** Sweeps so many answers that have ended, each of a person who has no summary yet. */
async function sweepOf(stage: Stage, size: number) {
  const { projectId, surveys } = await stage.tenant(DEMO_SURVEYS.slice(0, 1));
  const now = Date.now();
  await stage.seed({
    projectId,
    surveyIds: surveys.map(({ id }) => id),
    count: size,
    momentOf: (index) => now - 100 * DAY + index,
    responseOf: () => ({ text: WORDS }),
  });
  const client = stage.createClient();
  const takeUse = meter(client);
  let pausedMs = 0;
  const service = stage.compose(client, undefined, async (milliseconds) => {
    pausedMs += milliseconds;
  });
  const retention = newRetention('35d', 0);
  if (retention === undefined) throw new Error('answers stay for ever');
  await projects(service).setRetention(projectId, retention, undefined);
  const settings = await createSettingsLoader(table(service))(projectId);
  if (settings === undefined) throw new Error(`there is no project ${projectId}`);
  takeUse();
  const before = cpuMs();
  const { expired } = await expirySweep(service).sweep(settings, { isOutOfTime: () => false });
  const ms = cpuMs() - before;
  if (expired !== size) throw new Error(`${expired} of ${size} expired`);
  return { ms, pausedMs, ...takeUse() };
}

const noSweeps = (): Awaited<ReturnType<typeof sweepOf>>[] => [];

export function growingExpiry({ expired: sizes }: Plan) {
  return onStage(async (stage) => {
    const sweeps = new Map(sizes.map((size) => [size, noSweeps()]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const size of round % 2 === 0 ? sizes : sizes.toReversed()) {
        const swept = await sweepOf(stage, size);
        if (round > 0) sweeps.get(size)?.push(swept);
      }
    }
    const times = [...sweeps].map(([size, of]) => [size, median(of.map(({ ms }) => ms))] as const);
    const exponent = growthExponent(times);
    const [[size, largest] = [Number.NaN, []]] = [...sweeps].slice(-1);
    const ofEach = (of: 'read units' | 'write units' | 'pausedMs') =>
      median(largest.map((swept) => swept[of])) / size;
    const [read, written] = [ofEach('read units'), ofEach('write units')];
    const costs = times.map(([count, ms]) => [`CPU ms for ${count.toLocaleString('en-US')}`, ms]);
    const row: Row = {
      ...Object.fromEntries(costs),
      exponent,
      'read units each': read,
      'write units each': written,
      '$ a million': MILLION * (read * PRICES.readUnit + written * PRICES.writeUnit),
      'minutes a million': (MILLION * ofEach('pausedMs')) / MINUTE,
    };
    const goals: Goal[] = [
      {
        goal: 'sweep of expired answers: exponent of processor time',
        measured: exponent,
        atMost: NEARLY_LINEAR,
      },
      { goal: 'sweep of expired answers: write units each', measured: written, atMost: MOST_WRITE_UNITS },
    ];
    return { rows: [row], goals };
  });
}
