/** What storing one more answer costs a local run as answers pile up: the function and the embedded DynamoDB. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { submitResponse } from '../functions/submit-response.ts';
import { temporaryDataFolder } from '../local/data-folder.ts';
import type { Plan } from './plan.ts';
import type { Goal, Row } from './report.ts';
import { hotEvents, serve, TEXT } from './requests.ts';
import { startStage } from './stage.ts';
import { growthExponent } from './statistics.ts';

/** Rounds in which the sizes take turns, the first forgotten, and answers of each in a round. */
const ROUNDS = 9;
const RUNS = 50;
/** Of /proc/<pid>/stat (Linux, getconf CLK_TCK). */
const TICK_MS = 10;
const FLAT = 0.1;

/** Processor time of this process and of the emulators that it started. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  );
  const ticks = children.map((pid) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  });
  return (user + system) / 1_000 + ticks.reduce((sum, each) => sum + each, 0) * TICK_MS;
}

/** A local run's database with so many answers, as `--memory` or a data folder on disk keeps it. */
async function startFull(size: number, disk: string | undefined) {
  const seeded = disk === undefined ? undefined : temporaryDataFolder();
  let stage = await startStage(seeded?.path);
  const tenant = await stage.tenant();
  const surveyIds = tenant.surveys.map(({ id }) => id);
  await stage.seed({
    projectId: tenant.projectId,
    surveyIds,
    count: size,
    responseOf: () => ({ text: TEXT }),
  });
  if (disk !== undefined && seeded !== undefined) {
    // Seeded in memory: on a disk that would take minutes.
    await stage.stop();
    cpSync(seeded.path, disk, { recursive: true });
    seeded.remove();
    stage = await startStage(disk);
  }
  const service = stage.compose(stage.createClient());
  const handle = serve(submitResponse, service);
  async function answer(): Promise<number> {
    const events = await hotEvents(submitResponse.route, RUNS, tenant, service);
    const before = cpuMs();
    for (const event of events) await handle(event);
    return (cpuMs() - before) / RUNS;
  }
  return { size, answer, stop: stage.stop };
}

export async function growingAnswers({ answers }: Plan) {
  const parent = mkdtempSync(join(tmpdir(), 'canvass-bench-'));
  const rows: Row[] = [];
  const goals: Goal[] = [];
  try {
    for (const [what, isOnDisk] of [
      ['--memory', false],
      ['a data folder', true],
    ] as const) {
      const full = [];
      for (const size of answers)
        full.push(await startFull(size, isOnDisk ? join(parent, String(size)) : undefined));
      const sums = new Map(answers.map((size) => [size, 0]));
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const { size, answer } of full) {
          const each = await answer();
          if (round > 0) sums.set(size, (sums.get(size) ?? 0) + each / (ROUNDS - 1));
        }
      }
      for (const { stop } of full) await stop();
      const exponent = growthExponent([...sums]);
      const costs = [...sums].map(([size, ms]) => [`CPU ms at ${size.toLocaleString('en-US')}`, ms]);
      rows.push({ 'submit-response over': what, ...Object.fromEntries(costs), exponent });
      const goal = `submit-response over ${what}, answers stored: exponent of processor time`;
      goals.push({ goal, measured: exponent, atMost: FLAT });
    }
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
  return { rows, goals };
}
