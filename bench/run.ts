/** npm run bench: measures everything, prints it, writes docs/performance.md and compares with the run before. */

import { rmSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { bundle } from './cold/bundles.ts';
import { CEILINGS } from './cold/ceilings.ts';
import { measureColdStarts } from './cold/measure.ts';
import { measureLarge } from './growth/large.ts';
import { measureHistories, measureSurveys } from './growth/small.ts';
import { answersHeat, bootstrapsHeat } from './heat/scenarios.ts';
import { measureThroughput } from './http/throughput.ts';
import { ratio } from './interleave.ts';
import { costOf } from './money/costs.ts';
import { comparison, readFigures, writeFigures } from './report/figures.ts';
import { goalsTable } from './report/goals.ts';
import { growthSection, heatSection, moneySection, unitsSection } from './report/scale-sections.ts';
import { type Section, sectionText } from './report/section.ts';
import { coldSection, httpSection, warmSection } from './report/speed-sections.ts';
import { scratchFolder, startStage } from './stage.ts';
import { measureUnits } from './units/measure.ts';
import { measureRoutes } from './warm/routes.ts';

/** `--quick` is for trying a change: few rounds, small sizes, nothing is written. */
const isQuick = process.argv.includes('--quick');
const PLAN = isQuick
  ? { warm: { rounds: 5, runs: 60 }, coldRounds: 3, httpSeconds: 3, sizes: [1_000, 10_000] }
  : { warm: { rounds: 25, runs: 200 }, coldRounds: 15, httpSeconds: 20, sizes: [1_000, 10_000, 100_000] };

const DOCS = join(import.meta.dirname, '../docs');
const STORED = join(DOCS, 'performance.json');

/** Of the gateway's access log and of Lambda's own report, a request. */
const PLATFORM_LOG_BYTES = 550;

const startedAt = Date.now();
const say = (what: string) =>
  console.error(`${((Date.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${what}`);

async function bundleSizes(): Promise<[string, number, number][]> {
  const folder = scratchFolder();
  const sizes: [string, number, number][] = [];
  for (const [index, [name, ceiling]] of Object.entries(CEILINGS).entries()) {
    const { kilobytes } = await bundle(folder, index, { name, entry: `functions/${name}.ts` });
    sizes.push([name, kilobytes, ceiling]);
  }
  rmSync(folder, { recursive: true, force: true });
  return sizes;
}

const stage = await startStage();
say('warm requests');
const routes = await measureRoutes(stage, PLAN.warm);
say('cold starts');
const cold = await measureColdStarts(stage, PLAN.coldRounds);
const sizes = await bundleSizes();
say('units');
const units = await measureUnits(stage);
say('growth');
const histories = await measureHistories(stage);
const series = [...histories, await measureSurveys(stage), ...(await measureLarge(stage, PLAN.sizes))];
await stage.stop();
say('HTTP');
const http = await measureThroughput(PLAN.httpSeconds);
say('done');

const costs = routes.flatMap(({ route, handler }) => {
  const use = units.find((each) => each.route === route);
  if (use === undefined) return [];
  const { readUnits, writeUnits, replyBytes, logBytes } = use;
  const billedMs = Math.ceil(handler.p50Ms);
  return [
    costOf({ route, billedMs, readUnits, writeUnits, replyBytes, logBytes: logBytes + PLATFORM_LOG_BYTES }),
  ];
});

const figures: Record<string, number> = {};
for (const { route, floor, handler } of routes) {
  figures[`warm ${route} p50 ratio`] = ratio(handler, floor, 'p50Ms');
  figures[`warm ${route} cpu ratio`] = ratio(handler, floor, 'cpuMicros');
  figures[`warm ${route} cpu µs`] = handler.cpuMicros;
}
for (const { name, totalRatio, cpuRatio } of cold.slice(1, 5)) {
  figures[`cold ${name} ratio`] = totalRatio;
  figures[`cold ${name} cpu ratio`] = cpuRatio;
}
for (const [name, kilobytes] of sizes) figures[`bundle ${name} KB`] = kilobytes;
for (const { name, perSecond, cpuMsPerRequest } of http) {
  figures[`http ${name} per second`] = perSecond;
  figures[`http ${name} cpu ms`] = cpuMsPerRequest;
}
for (const { request, readUnits, writeUnits } of units) figures[`units ${request}`] = readUnits + writeUnits;
for (const { what, points } of series) {
  const last = points.at(-1);
  if (last !== undefined) figures[`${what}: units at ${last.size}`] = last.readUnits + last.writeUnits;
}
figures['units at 1000 answers'] = histories[1]?.points.at(-1)?.readUnits ?? Number.NaN;
for (const { route, total } of costs) figures[`dollars a million ${route}`] = total;

const date = new Date().toISOString().slice(0, 10);
const before = readFigures(STORED);
const [processor] = cpus();
const sections: Section[] = [
  {
    title: 'Goals',
    text: [
      'What stands between a missed goal and the floor: docs/decisions/0041-cold-start.md, 0043-prepared-calls.md.',
    ],
    tables: [goalsTable(figures)],
  },
  warmSection(routes),
  coldSection(cold, sizes),
  unitsSection(units),
  httpSection(http, PLAN.httpSeconds),
  growthSection(series),
  heatSection(answersHeat(), bootstrapsHeat()),
  moneySection(costs),
  ...(before === undefined
    ? []
    : [
        {
          title: 'Against the run before',
          text: ['What changed by more than a tenth.'],
          tables: [comparison(figures, before)],
        },
      ]),
];
const machine = `${cpus().length} × ${processor?.model.trim() ?? 'unknown'}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${release()}`;
const text = [
  '# Performance',
  `Written by \`npm run bench\` on ${date}: ${machine}, Node ${process.version}, in ${Math.round((Date.now() - startedAt) / 1_000)} s. Ratios are measured in one run, interleaved, with medians; absolute times are this machine's and not judged. The embedded DynamoDB stands in for DynamoDB everywhere.`,
  ...sections.map(sectionText),
].join('\n\n');
console.log(text);
if (!isQuick) {
  writeFileSync(join(DOCS, 'performance.md'), `${text}\n`);
  writeFigures(STORED, { date, figures });
}
