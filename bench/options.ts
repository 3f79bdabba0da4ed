import { parseArgs } from 'node:util';

export const USAGE = `Usage: npm run bench [-- --quick]

  --quick  a minute's run to try a change: few rounds, small sizes; writes nothing
`;

export interface Options {
  readonly isQuick: boolean;
}

/** @returns undefined for flags or arguments that there are not */
export function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { quick: { type: 'boolean', default: false } },
    });
    return { isQuick: values.quick };
  } catch {
    return undefined;
  }
}
