/** What a million requests of a route cost. */

import { MEMORY_GB, PRICES } from './prices.ts';

export interface RouteUse {
  readonly route: string;
  /** Billed milliseconds of one request. */
  readonly billedMs: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** Bytes of log, of function and gateway. */
  readonly logBytes: number;
  readonly replyBytes: number;
}

/** Dollars a million requests. */
interface Parts {
  readonly gateway: number;
  readonly lambda: number;
  readonly dynamodb: number;
  readonly logs: number;
  readonly transfer: number;
}

export interface MillionCost extends Parts {
  readonly total: number;
  /** The largest part and its share of the total. */
  readonly dominant: { readonly part: keyof Parts; readonly share: number };
}

export interface RouteCost extends MillionCost {
  readonly route: string;
}

const MILLION = 1e6;
const GB = 1e9;

const PARTS = ['gateway', 'lambda', 'dynamodb', 'logs', 'transfer'] as const;

function summed(parts: Parts): MillionCost {
  const total = PARTS.reduce((sum, part) => sum + parts[part], 0);
  const part = PARTS.reduce((most, each) => (parts[each] > parts[most] ? each : most));
  return { ...parts, total, dominant: { part, share: parts[part] / total } };
}

export function costOf({
  route,
  billedMs,
  readUnits,
  writeUnits,
  logBytes,
  replyBytes,
}: RouteUse): RouteCost {
  const gatewaySteps = Math.max(1, Math.ceil(replyBytes / PRICES.gatewayStepBytes));
  return {
    route,
    ...summed({
      gateway: MILLION * gatewaySteps * PRICES.gatewayRequest,
      lambda: MILLION * (PRICES.lambdaRequest + (billedMs / 1_000) * MEMORY_GB * PRICES.lambdaGbSecond),
      dynamodb: MILLION * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit),
      logs: ((MILLION * logBytes) / GB) * PRICES.logGb,
      transfer: ((MILLION * replyBytes) / GB) * PRICES.transferGb,
    }),
  };
}

/** Parts of a typical product's requests: fifty bootstraps bring one response and two dismissals. */
export const TYPICAL_MIX: Readonly<Record<string, number>> = {
  bootstrap: 50,
  response: 1,
  dismissal: 2,
};

/**
 * Dollars of a million requests in these parts.
 * @throws Error naming a request of the mix that has no cost
 */
export function mixOf(costs: readonly RouteCost[], parts = TYPICAL_MIX): MillionCost {
  const whole = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const shares = Object.entries(parts).map(([route, part]) => {
    const cost = costs.find((each) => each.route === route);
    if (cost === undefined) throw new Error(`the cost of ${route} is not known`);
    return { cost, share: part / whole };
  });
  const of = (name: keyof Parts) => shares.reduce((sum, { cost, share }) => sum + cost[name] * share, 0);
  return summed({
    gateway: of('gateway'),
    lambda: of('lambda'),
    dynamodb: of('dynamodb'),
    logs: of('logs'),
    transfer: of('transfer'),
  });
}
