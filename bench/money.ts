/** What a million requests cost at list prices. */

import { randomUUID } from 'node:crypto';
import type { ACCESS_LOG_FORMAT } from '../lib/access-log-format.ts';
import type { Plan } from './plan.ts';
import { units } from './units.ts';

/**
 * AWS list prices, US dollars, region us-east-1, as public pages about AWS gave them on 2026-11-20; AWS's own pages, which
 * are named, show theirs to browsers only and are to be compared. Without free tiers and discounts of volume.
 */
const PRICES = {
  /** aws.amazon.com/lambda/pricing, arm64, first tier. */
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/api-gateway/pricing, HTTP API, first 300 million a month, 512 KB steps. */
  gatewayRequest: 1 / 1e6,
  gatewayStepBytes: 512 * 1_024,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class, since November 2024. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** aws.amazon.com/cloudwatch/pricing, logs ingested, standard class. */
  logGb: 0.5,
  /** aws.amazon.com/ec2/pricing/on-demand, data transfer out to the internet, first 10 TB a month. */
  transferGb: 0.09,
} as const;

/** What functions run with (lib/functions/service-function.ts). */
const MEMORY_GB = 1;
const MILLION = 1e6;
const GB = 1e9;

/** Parts of a typical product's requests: fifty bootstraps bring three shows, one response and two dismissals. */
const TYPICAL_MIX = {
  bootstrap: 50,
  'submit-impression': 3,
  'submit-response': 1,
  'submit-dismissal': 2,
} as const;
const MIX_NAME = `typical mix: ${Object.entries(TYPICAL_MIX)
  .map(([request, part]) => `${part} ${request}`)
  .join(', ')}`;

/** The line that API Gateway writes of a request, a variable in the place of its name. */
const ACCESS_LINE: Record<keyof typeof ACCESS_LOG_FORMAT, string> = {
  requestId: 'a1B2c3D4e5F6g7H=',
  time: '1795167000000',
  route: 'POST /v1/sdk/responses',
  status: '201',
  bytes: '62',
  latencyMs: '21',
  functionLatencyMs: '19',
  functionError: '-',
  gatewayError: '-',
};

/**
 * Bytes that the platform logs of a request beside the function's own line: the gateway's, and Lambda's two in JSON (Lambda
 * Developer Guide, "Telemetry API event schema"). Tracing adds to them.
 */
export function platformLogBytes(): number {
  const [time, requestId] = ['2026-11-20T09:30:00.000Z', randomUUID()];
  const metrics = { durationMs: 12.345, billedDurationMs: 13, memorySizeMB: 1_024, maxMemoryUsedMB: 123 };
  const lines = [
    ACCESS_LINE,
    { time, type: 'platform.start', record: { requestId, version: '$LATEST' } },
    { time, type: 'platform.report', record: { requestId, metrics, status: 'success' } },
  ];
  return lines.reduce((sum, line) => sum + Buffer.byteLength(`${JSON.stringify(line)}\n`), 0);
}

interface Use {
  readonly billedMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Of the function and the platform. */
  readonly logBytes: number;
  readonly replyBytes: number;
}

/** Dollars a million requests, by what is paid for. */
export function partsOf({ billedMs, readUnits, writeUnits, logBytes, replyBytes }: Use) {
  const gatewaySteps = Math.max(1, Math.ceil(replyBytes / PRICES.gatewayStepBytes));
  return {
    gateway: MILLION * gatewaySteps * PRICES.gatewayRequest,
    lambda: MILLION * (PRICES.lambdaRequest + (billedMs / 1_000) * MEMORY_GB * PRICES.lambdaGbSecond),
    dynamodb: MILLION * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit),
    logs: ((MILLION * logBytes) / GB) * PRICES.logGb,
    transfer: ((MILLION * replyBytes) / GB) * PRICES.transferGb,
  };
}

function costRow(request: string, parts: ReturnType<typeof partsOf>) {
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const [name = '', most = 0] = Object.entries(parts).toSorted(([, a], [, b]) => b - a)[0] ?? [];
  return { request, ...parts, total, 'most of it': `${name}, ${Math.round((most / total) * 100)} %` };
}

export async function money(plan: Plan) {
  const { tables } = await units(plan);
  const platform = platformLogBytes();
  const used = tables.requests.map((row) => {
    const parts = partsOf({
      billedMs: Math.ceil(row['p50 ms']),
      readUnits: row['read units'],
      writeUnits: row['write units'],
      logBytes: row['log bytes'] + platform,
      replyBytes: row['reply bytes'],
    });
    return { request: row.request, parts };
  });
  const whole = Object.values(TYPICAL_MIX).reduce((sum, part) => sum + part, 0);
  const mix = { gateway: 0, lambda: 0, dynamodb: 0, logs: 0, transfer: 0 };
  for (const [request, share] of Object.entries(TYPICAL_MIX)) {
    const found = used.find((each) => each.request === request);
    if (found === undefined) throw new Error(`what ${request} uses was not measured`);
    for (const part of ['gateway', 'lambda', 'dynamodb', 'logs', 'transfer'] as const) {
      mix[part] += (found.parts[part] * share) / whole;
    }
  }
  const rows = used.map(({ request, parts }) => costRow(request, parts));
  return { tables: { million: [costRow(MIX_NAME, mix), ...rows] } };
}
