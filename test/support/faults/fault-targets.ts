import type { FaultRule, ProxiedCall } from './fault-proxy.ts';

export interface Target {
  readonly name: string;
  readonly rule: Omit<FaultRule, 'fault'>;
}

export const EVERYTHING: readonly Target[] = [
  { name: 'every call', rule: {} },
  { name: 'every call but the first', rule: { after: 1 } },
];

export function describeTarget({ operation, body }: ProxiedCall): Target {
  const index = /"IndexName":"(\w+)"/.exec(body)?.[1];
  if (index !== undefined)
    return { name: `${operation} ${index}`, rule: { operation, containing: `"${index}"` } };
  for (const [part, name] of [
    ['#RATE#', 'counting'],
    ['#R#', 'respondent'],
    ['PURGES', 'purges'],
    ['#ERASURE', 'erasure log'],
  ] as const) {
    if (body.includes(part)) return { name: `${operation} ${name}`, rule: { operation, containing: part } };
  }
  const partition = /"P#[0-9a-f]+"/.exec(body)?.[0];
  if (partition !== undefined)
    return { name: `${operation} settings`, rule: { operation, containing: partition } };
  return { name: operation, rule: { operation } };
}
