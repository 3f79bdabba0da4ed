/** What a million requests cost at list prices. */

import { randomUUID } from 'node:crypto';
import { PRICES } from '../bin/costs/prices.ts';
import type { ACCESS_LOG_FORMAT } from '../lib/access-log-format.ts';
import type { Plan } from './plan.ts';
import { units } from './units.ts';

/** What functions run with (lib/functions/service-function.ts). */
const MEMORY_GB = 1;
const MILLION = 1e6;
const GB = 1e9;

/** Parts of a typical product's requests: fifty bootstraps bring three shows, one response and two dismissals. */
const TYPICAL_MIX: ReadonlyMap<string, number> = new Map([
  ['bootstrap', 50],
  ['submit-impression', 3],
  ['submit-response', 1],
  ['submit-dismissal', 2],
]);
const MIX_REQUESTS = [...TYPICAL_MIX.values()].reduce((sum, requests) => sum + requests, 0);
const MIX_NAME = `typical mix: ${[...TYPICAL_MIX].map(([request, part]) => `${part} ${request}`).join(', ')}`;

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

const costRow = (request: string, parts: ReturnType<typeof partsOf>) => ({
  request,
  total: Object.values(parts).reduce((sum, part) => sum + part, 0),
  ...parts,
});

export async function money(plan: Plan) {
  const { tables } = await units(plan);
  const platform = platformLogBytes();
  const mix = { gateway: 0, lambda: 0, dynamodb: 0, logs: 0, transfer: 0 };
  const rows = tables.requests.map((row) => {
    const bytes = { 'log bytes': row['log bytes'], 'reply bytes': row['reply bytes'] };
    const parts = partsOf({
      billedMs: Math.ceil(row['p50 ms']),
      readUnits: row['read units'],
      writeUnits: row['write units'],
      logBytes: bytes['log bytes'] + platform,
      replyBytes: bytes['reply bytes'],
    });
    const share = (TYPICAL_MIX.get(row.request) ?? 0) / MIX_REQUESTS;
    for (const part of ['gateway', 'lambda', 'dynamodb', 'logs', 'transfer'] as const)
      mix[part] += parts[part] * share;
    return { ...costRow(row.request, parts), ...bytes };
  });
  const bytes = { 'log bytes': '', 'reply bytes': '' };
  return { tables: { million: [{ ...costRow(MIX_NAME, mix), ...bytes }, ...rows] } };
}
