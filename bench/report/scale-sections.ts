/** Sections on units, growth, heat and money. */

import type { GrowthSeries } from '../growth/small.ts';
import { type HeatFigures, shardsFor } from '../heat/scenarios.ts';
import { mixOf, type RouteCost, TYPICAL_MIX } from '../money/costs.ts';
import { MEMORY_GB, PRICES } from '../money/prices.ts';
import { growthExponent } from '../statistics.ts';
import type { RouteUnits } from '../units/measure.ts';
import { figure, type Section } from './section.ts';

export function unitsSection(units: readonly RouteUnits[]): Section {
  return {
    title: 'What a request asks of DynamoDB',
    text: [
      'Warm, as DynamoDB accounts for it (`ReturnConsumedCapacity`); asserted in `test/functions/budgets.test.ts`.',
    ],
    tables: [
      {
        head: ['request', 'calls', 'read units', 'write units', 'reply bytes'],
        rows: units.map(({ request, calls, readUnits, writeUnits, replyBytes }) => [
          request,
          calls || 'none',
          readUnits,
          writeUnits,
          replyBytes,
        ]),
      },
    ],
  };
}

function exponentOf({ points }: GrowthSeries, of: 'ms' | 'units'): number {
  const measured = points
    .filter(({ size }) => size > 0)
    .map(({ size, ms, readUnits, writeUnits }): [number, number] => [
      size,
      of === 'ms' ? ms : readUnits + writeUnits,
    ]);
  return growthExponent(measured);
}

export function growthSection(series: readonly GrowthSeries[]): Section {
  return {
    title: 'Growth',
    text: ['Exponents of a power law through the points, sizes above zero: 1 is linear, 0 does not grow.'],
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
        head: ['what grows', 'exponent of time', 'exponent of units'],
        rows: series.map((each) => [each.what, exponentOf(each, 'ms'), exponentOf(each, 'units')]),
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
      `${figure(hottest)} of ${figure(limit)}`,
      `${figure(throttled * 100)} %`,
    ]);
  return {
    title: 'Heat',
    text: [
      'Simulated, with a fixed seed: 16 partitions to begin with, 1,000 write and 3,000 read units a second each; *adaptive* is the state after partitions that stayed hot have been split between keys. `by_score_state` takes two writes an answer, in when it is pending and out when it is acked.',
      'A write that an index cannot take holds the write of the table up, so the smallest figure of a column counts.',
    ],
    tables: [
      {
        head: ['load', 'part', 'shards', 'adaptive', 'hottest partition', 'refused'],
        rows: [
          ...rows('one survey, 10,000 answers/s', answers),
          ...rows('one project, 50,000 bootstraps/s', bootstraps),
        ],
      },
      {
        head: ['answers/s of a project', 'shards', 'shards when all are linked and acked'],
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
  return {
    title: 'Money',
    text: [
      `Dollars a million requests at list prices of ${PRICES.region}, ${PRICES.date} (\`bench/money/prices.ts\`), without free tiers. Lambda at ${MEMORY_GB} GB, arm64, billed for the measured p50 rounded up to a millisecond; against a real DynamoDB, some milliseconds away, each more is $${figure(1e6 * 0.001 * MEMORY_GB * PRICES.lambdaGbSecond)} a million. The typical mix is ${parts.join(', ')}.`,
    ],
    tables: [
      {
        head: ['route', 'gateway', 'Lambda', 'DynamoDB', 'logs', 'transfer', 'total'],
        rows: [...costs, mix].map(({ route, gateway, lambda, dynamodb, logs, transfer, total }) => [
          route,
          gateway,
          lambda,
          dynamodb,
          logs,
          transfer,
          total,
        ]),
      },
    ],
  };
}
