/** Computes the price of a million requests from what each request uses. */

import { units } from './units.ts';

/** AWS list prices in US dollars, us-east-1, 2026-11-20, without free tiers and volume discounts. */
const PRICES = {
  /** aws.amazon.com/lambda/pricing, arm64, first tier. */
  lambdaRequest: 0.2 / 1e6,
  lambdaGbSecond: 0.0000133334,
  /** aws.amazon.com/api-gateway/pricing, HTTP API, first 300 million a month, 512 KB steps. */
  gatewayRequest: 1 / 1e6,
  gatewayStepBytes: 512 * 1_024,
  /** aws.amazon.com/dynamodb/pricing/on-demand, standard table class. */
  writeUnit: 0.625 / 1e6,
  readUnit: 0.125 / 1e6,
  /** aws.amazon.com/cloudwatch/pricing, ingested logs, standard class. */
  logGb: 0.5,
  /** aws.amazon.com/ec2/pricing/on-demand, data transfer to the internet, first 10 TB a month. */
  transferGb: 0.09,
} as const;

/** Memory of a function (lib/functions/service-function.ts). */
const MEMORY_GB = 1;
const MILLION = 1e6;
const GB = 1e9;

/** Requests of a typical product: fifty bootstraps lead to three impressions, one response and two dismissals. */
const TYPICAL_MIX: ReadonlyMap<string, number> = new Map([
  ['bootstrap', 50],
  ['submit-impression', 3],
  ['submit-response', 1],
  ['submit-dismissal', 2],
]);
const MIX_REQUESTS = [...TYPICAL_MIX.values()].reduce((sum, requests) => sum + requests, 0);
const MIX_NAME = `typical mix: ${[...TYPICAL_MIX].map(([request, part]) => `${part} ${request}`).join(', ')}`;

/**
 * Bytes that the platform logs for a request: the access log of API Gateway (lib/access-log-format.ts), and the start and
 * report lines of Lambda in JSON. Tracing adds more.
 */
const PLATFORM_LOG_BYTES = 578;

interface Use {
  readonly billedMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Logged by the function and the platform. */
  readonly logBytes: number;
  readonly replyBytes: number;
}

/** Dollars for a million requests, by service. */
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

const costs = (parts: ReturnType<typeof partsOf>) => ({
  '$ a million': Object.values(parts).reduce((sum, part) => sum + part, 0),
  ...parts,
});

/** @returns a row for the typical mix, then one for each kind of request */
export async function money(rounds: number) {
  const mix = { gateway: 0, lambda: 0, dynamodb: 0, logs: 0, transfer: 0 };
  const rows = (await units(rounds)).map((use) => {
    const { request, p50Ms, readUnits, writeUnits, calls } = use;
    const parts = partsOf({
      ...use,
      billedMs: Math.ceil(p50Ms),
      logBytes: use.logBytes + PLATFORM_LOG_BYTES,
    });
    const share = (TYPICAL_MIX.get(request) ?? 0) / MIX_REQUESTS;
    for (const part of ['gateway', 'lambda', 'dynamodb', 'logs', 'transfer'] as const)
      mix[part] += parts[part] * share;
    const used = { 'p50 ms': p50Ms, 'read units': readUnits, 'write units': writeUnits, calls };
    return { request, ...costs(parts), ...used };
  });
  const unused = { 'p50 ms': '', 'read units': '', 'write units': '', calls: '' };
  return [{ request: MIX_NAME, ...costs(mix), ...unused }, ...rows];
}
