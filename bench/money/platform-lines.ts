/** What the platform itself logs of a request, beside the function's own line. */

import { randomUUID } from 'node:crypto';
import type { ACCESS_LOG_FORMAT } from '../../lib/access-log-format.ts';

/** As API Gateway writes it: each variable in the place of its name, `-` where it has none. */
const ACCESS: Record<keyof typeof ACCESS_LOG_FORMAT, string> = {
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

/** Lambda's own lines in JSON (Lambda Developer Guide, "Telemetry API event schema"); tracing adds to them. */
function functionLines(): object[] {
  const [time, requestId] = ['2026-11-20T09:30:00.000Z', randomUUID()];
  const metrics = { durationMs: 12.345, billedDurationMs: 13, memorySizeMB: 1_024, maxMemoryUsedMB: 123 };
  return [
    { time, type: 'platform.start', record: { requestId, version: '$LATEST' } },
    { time, type: 'platform.report', record: { requestId, metrics, status: 'success' } },
  ];
}

/** Bytes a request, line ends included. */
export function platformLogBytes(): number {
  const lines = [ACCESS, ...functionLines()].map((line) => `${JSON.stringify(line)}\n`);
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
}
