import type { TestClock } from '../service/test-clock.ts';

export type Scripted = Response | Error | ((request: Request) => Response | Promise<Response>);

export interface ScriptedFetch {
  readonly fetch: typeof fetch;
  readonly requests: Request[];
  readonly moments: number[];
}

/** Repeats the last answer. */
export function scriptedFetch(clock: TestClock, ...script: readonly Scripted[]): ScriptedFetch {
  const requests: Request[] = [];
  const moments: number[] = [];
  return {
    requests,
    moments,
    async fetch(input, init) {
      const request = new Request(input, init);
      moments.push(clock.now());
      const line = script[Math.min(requests.push(request), script.length) - 1];
      if (line instanceof Error) throw line;
      if (typeof line === 'function') return line(request);
      return line?.clone() ?? new Response();
    },
  };
}
