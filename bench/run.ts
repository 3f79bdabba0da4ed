/** npm run bench: measures everything, prints it, writes docs/performance.md and compares with the last committed run. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleSizes } from './cold/bundle-sizes.ts';
import { measureColdStarts } from './cold/measure.ts';
import { measureLarge } from './growth/large.ts';
import { measureHistories, measureSurveys } from './growth/small.ts';
import { answersHeat, bootstrapsHeat } from './heat/scenarios.ts';
import { measureThroughput } from './http/throughput.ts';
import { routeCosts } from './money/route-costs.ts';
import { type Options, readOptions, USAGE } from './options.ts';
import { readCommitted, STORED_FIGURES, storedText } from './report/figures.ts';
import { machine, versions } from './report/head.ts';
import { comparisonSection, goalsSection } from './report/outcome-sections.ts';
import { runFigures } from './report/run-figures.ts';
import { growthSection, heatSection, moneySection, unitsSection } from './report/scale-sections.ts';
import { type Section, sectionText } from './report/section.ts';
import { coldSection, httpSection, warmSection } from './report/speed-sections.ts';
import { type Stage, startStage } from './stage.ts';
import { measureUnits } from './units/measure.ts';
import { measureRoutes } from './warm/routes.ts';

const QUICK = { warm: { rounds: 5, runs: 60 }, coldRounds: 3, httpSeconds: 3, sizes: [1_000, 10_000] };
const FULL = {
  warm: { rounds: 25, runs: 200 },
  coldRounds: 15,
  httpSeconds: 20,
  sizes: [1_000, 10_000, 100_000],
};

const ROOT = join(import.meta.dirname, '..');
const REPORT = 'docs/performance.md';

const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1_000;
const say = (what: string) => console.error(`${seconds().toFixed(0).padStart(4)} s  ${what}`);

/** Printed at once: what was measured is not lost with a part that fails later. */
function show(section: Section): Section {
  console.log(`${sectionText(section)}\n`);
  return section;
}

async function measureOn(stage: Stage, plan: typeof FULL) {
  say('warm requests');
  const routes = await measureRoutes(stage, plan.warm);
  const warm = show(warmSection(routes));
  say('cold starts');
  const cold = await measureColdStarts(stage, plan.coldRounds);
  const sizes = await bundleSizes();
  const coldPart = show(coldSection(cold, sizes));
  say('units');
  const units = await measureUnits(stage);
  const unitsPart = show(unitsSection(units));
  say('growth: histories');
  const histories = await measureHistories(stage);
  say('growth: surveys');
  const surveys = await measureSurveys(stage);
  const series = [...histories, ...surveys, ...(await measureLarge(stage, plan.sizes, say))];
  const growth = show(growthSection(series));
  return { parts: { routes, cold, sizes, units, series }, sections: [warm, coldPart, unitsPart, growth] };
}

async function run({ isQuick }: Options): Promise<void> {
  const plan = isQuick ? QUICK : FULL;
  const stage = await startStage();
  const { parts, sections } = await measureOn(stage, plan).finally(() => stage.stop());
  const http = await measureThroughput(plan.httpSeconds, say);
  const httpPart = show(httpSection(http, plan.httpSeconds));
  say('heat and money');
  const heat = show(heatSection(answersHeat(), bootstrapsHeat()));
  const costs = routeCosts(parts.units, parts.routes);
  const money = show(moneySection(costs));

  const figures = runFigures({ ...parts, http, costs, seconds: seconds() });
  const goals = show(goalsSection(figures));
  const compared = show(comparisonSection(figures, readCommitted()));
  const date = new Date().toISOString().slice(0, 10);
  const took = `in ${Math.round(seconds())} s`;
  if (isQuick) {
    console.log(`A quick run of ${date} on ${machine()}, ${took}; it writes nothing. ${versions()}.`);
    return;
  }
  const text = [
    '# Performance',
    `Written by \`npm run bench\` on ${date}, ${took}: ${machine()}; ${versions()}. Ratios are measured in one run, interleaved, with medians; absolute times are this machine's and not judged. The embedded DynamoDB stands in for DynamoDB everywhere.`,
    ...[goals, ...sections, httpPart, heat, money, compared].map(sectionText),
  ].join('\n\n');
  writeFileSync(join(ROOT, REPORT), `${text}\n`);
  writeFileSync(join(ROOT, STORED_FIGURES), storedText({ date, figures }));
  say(`written: ${REPORT}, ${STORED_FIGURES}`);
}

const options = readOptions(process.argv.slice(2));
if (options === undefined) {
  process.stderr.write(USAGE);
  process.exitCode = 2;
} else {
  // Whatever runs and lies about ends with the process (bench/scratch.ts).
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  await run(options);
}
