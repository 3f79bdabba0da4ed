import { FAULTS, type Fault } from './fault-proxy.ts';

export interface Cell {
  readonly route: string;
  readonly call: string;
  readonly fault: Fault;
  readonly mode: string;
  readonly status: number;
}

export function printMatrix(cells: readonly Cell[]): void {
  const rows = new Map<string, string[]>();
  for (const { route, call, mode, fault, status } of cells) {
    const name = `${route.padEnd(20)} ${call.padEnd(26)} ${mode.padEnd(21)}`;
    const row = rows.get(name) ?? FAULTS.map(() => '-');
    row[FAULTS.indexOf(fault)] = String(status);
    rows.set(name, row);
  }
  const line = (name: string, values: readonly string[]) =>
    `${name.padEnd(69)} ${values.map((value) => value.padEnd(13)).join(' ')}`;
  const lines = [
    line('route, call, how long', FAULTS),
    ...[...rows].map(([name, values]) => line(name, values)),
  ];
  process.stdout.write(
    `\nFaults between the service and DynamoDB or Step Functions, and what was answered\n${lines.join('\n')}\n`,
  );
}
