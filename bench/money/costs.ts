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

export interface RouteCost {
  readonly route: string;
  /** Dollars a million requests. */
  readonly gateway: number;
  readonly lambda: number;
  readonly dynamodb: number;
  readonly logs: number;
  readonly transfer: number;
  readonly total: number;
}

const MILLION = 1e6;
const GB = 1e9;

export function costOf({
  route,
  billedMs,
  readUnits,
  writeUnits,
  logBytes,
  replyBytes,
}: RouteUse): RouteCost {
  const gateway = MILLION * PRICES.gatewayRequest;
  const lambda = MILLION * (PRICES.lambdaRequest + (billedMs / 1_000) * MEMORY_GB * PRICES.lambdaGbSecond);
  const dynamodb = MILLION * (readUnits * PRICES.readUnit + writeUnits * PRICES.writeUnit);
  const logs = ((MILLION * logBytes) / GB) * PRICES.logGb;
  const transfer = ((MILLION * replyBytes) / GB) * PRICES.transferGb;
  return {
    route,
    gateway,
    lambda,
    dynamodb,
    logs,
    transfer,
    total: gateway + lambda + dynamodb + logs + transfer,
  };
}

/** Parts of a typical product's requests: fifty bootstraps bring one response and two dismissals. */
export const TYPICAL_MIX: Readonly<Record<string, number>> = {
  bootstrap: 50,
  'submit-response': 1,
  'submit-dismissal': 2,
};

/** Dollars of a million requests in these parts. */
export function mixOf(costs: readonly RouteCost[], parts = TYPICAL_MIX): Omit<RouteCost, 'route'> {
  const whole = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const of = (name: keyof Omit<RouteCost, 'route'>) =>
    costs.reduce((sum, cost) => sum + (cost[name] * (parts[cost.route] ?? 0)) / whole, 0);
  return {
    gateway: of('gateway'),
    lambda: of('lambda'),
    dynamodb: of('dynamodb'),
    logs: of('logs'),
    transfer: of('transfer'),
    total: of('total'),
  };
}
