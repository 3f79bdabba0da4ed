/** Sections on units, growth, heat and money. */

import { exponentsOf, type GrowthSeries } from '../growth/series.ts';
import { type HeatFigures, shardsFor } from '../heat/scenarios.ts';
import { mixOf, type RouteCost, TYPICAL_MIX } from '../money/costs.ts';
import { MEMORY_GB, PRICES } from '../money/prices.ts';
import type { RequestUnits } from '../units/measure.ts';
import { figure, type Section } from './section.ts';

export function unitsSection(units: readonly RequestUnits[]): Section {
  return {
    title: 'What a request asks of DynamoDB',
    text: [
      'Warm, as DynamoDB accounts for it (`ReturnConsumedCapacity`); asserted in `test/functions/budgets.test.ts`, `score-budgets.test.ts`, `purge-budgets.test.ts` and `long-histories.test.ts` beside it. _p50 ms_: a few requests one after the other, against nothing.',
    ],
    tables: [
      {
        head: ['request', 'calls', 'read units', 'write units', 'reply bytes', 'log bytes', 'p50 ms'],
        rows: units.map(({ request, calls, readUnits, writeUnits, replyBytes, logBytes, p50Ms }) => [
          request,
          calls || 'none',
          readUnits,
          writeUnits,
          replyBytes,
          logBytes,
          p50Ms,
        ]),
      },
    ],
  };
}

export function growthSection(series: readonly GrowthSeries[]): Section {
  return {
    title: 'Growth',
    text: [
      'Exponents of a power law through the points, sizes above zero: 1 is linear, 0 does not grow; _last_ is between the last two points alone.',
    ],
    tables: [
      {
        head: ['what grows', 'size', 'ms', 'read units', 'write units', 'calls'],
        rows: series.flatMap(({ what, points }) =>
          points.map(({ size, ms, readUnits, writeUnits, calls }) => [
            what,
            size.toLocaleString('en-US'),
            ms,
            readUnits,
            writeUnits,
            calls,
          ]),
        ),
      },
      {
        head: [
          'what grows',
          'exponent of time',
          'exponent of time, last',
          'exponent of units',
          'exponent of units, last',
        ],
        rows: series.map((each) => {
          const [time, units] = [exponentsOf(each, 'ms'), exponentsOf(each, 'units')];
          return [each.what, time.whole, time.last, units.whole, units.last];
        }),
      },
    ],
  };
}

const RATES = [500, 1_000, 2_500, 5_000, 10_000, 20_000, 50_000];

export function heatSection(answers: readonly HeatFigures[], bootstraps: readonly HeatFigures[]): Section {
  const rows = (load: string, figures: readonly HeatFigures[]) =>
    figures.map(({ part, shards, adaptive, hottest, limit, throttled }) => [
      load,
      part,
      shards === undefined ? '' : String(shards),
      adaptive ? 'on' : 'off',
      `${figure(hottest.median)}, ${figure(hottest.p95)} of ${figure(limit)}`,
      `${figure(throttled.median * 100)} %, ${figure(throttled.p95 * 100)} %`,
    ]);
  return {
    title: 'Heat',
    text: [
      'Simulated, 200 throws of fixed seeds, their median and 95th percentile: 16 partitions to begin with, 1,000 write and 3,000 read units a second each; _adaptive_ is the state after partitions that stayed hot have been split between keys. `by_score_state` takes two writes an answer, in when it is pending and out when it is acked.',
      'A write that an index cannot take holds the write of the table up: the part that refuses most limits the whole.',
      'Settings and the lease of a key lie on one key each. Settings are read by each function instance every 25 s on average, one unit for a few surveys, 90 for 500; a lease is written twice a second by a busy instance. How many instances 50,000 requests a second mean depends on how long each takes: 500 at 10 ms, 1,000 at 20 ms. A lease that is refused lets its requests pass (docs/decisions/0030-rate-leases.md), a project without rates writes none; settings that cannot be read make a request fail with 503.',
      'Quotas of an account come before all of this: 40,000 read and 40,000 write units a second of an on-demand table, 10,000 requests a second of API Gateway in a region, 1,000 function instances (docs/operations.md, Quotas to raise).',
    ],
    tables: [
      {
        head: [
          'load',
          'part',
          'shards',
          'adaptive',
          'hottest partition: median, p95',
          'refused: median, p95',
        ],
        rows: [
          ...rows('one survey, 10,000 answers/s', answers),
          ...rows('one project, 50,000 bootstraps/s', bootstraps),
        ],
      },
      {
        head: [
          'answers/s of a project',
          'shards, once partitions have split',
          'shards, once partitions have split, all linked and acked',
        ],
        rows: RATES.map((rate) => [
          rate.toLocaleString('en-US'),
          String(shardsFor(rate)),
          String(shardsFor(rate * 2)),
        ]),
      },
    ],
  };
}

export function moneySection(costs: readonly RouteCost[]): Section {
  const mix = { route: 'the typical mix', ...mixOf(costs) };
  const parts = Object.entries(TYPICAL_MIX).map(([route, part]) => `${part} ${route}`);
  const millisecond = 1e6 * 0.001 * MEMORY_GB * PRICES.lambdaGbSecond;
  return {
    title: 'Money',
    text: [
      `Dollars a million requests at list prices of ${PRICES.region}, ${PRICES.date} (\`bench/money/prices.ts\`), without free tiers. Lambda at ${MEMORY_GB} GB, arm64, billed for the measured p50 rounded up to a millisecond. The typical mix is ${parts.join(', ')}.`,
      `Not counted: initialisation of instances, which is billed too; leases of rates, one write in twenty requests or fewer; the stream’s reader that counts answers and folds histories; storage, metrics, alarms, secrets, the edge. And the time is that of this machine’s processor, a core of its own, with DynamoDB beside it: a function of ${MEMORY_GB} GB has 0.58 of an arm64 core, and DynamoDB is some milliseconds away. Each millisecond more is $${figure(millisecond)} a million.`,
      `In the typical mix ${mix.dominant.part} dominates, with ${Math.round(mix.dominant.share * 100)} % of $${figure(mix.total)}.`,
    ],
    tables: [
      {
        head: ['request', 'gateway', 'lambda', 'dynamodb', 'logs', 'transfer', 'total', 'what dominates'],
        rows: [...costs, mix].map(({ route, gateway, lambda, dynamodb, logs, transfer, total, dominant }) => [
          route,
          gateway,
          lambda,
          dynamodb,
          logs,
          transfer,
          total,
          `${dominant.part}, ${Math.round(dominant.share * 100)} %`,
        ]),
      },
    ],
  };
}
