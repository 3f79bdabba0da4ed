import { createCanvassClient } from '../../../sdk/server/canvass-client.ts';
import { createTestClock, createVirtualTimers } from '../service/test-clock.ts';
import { type Scripted, scriptedFetch } from './scripted-fetch.ts';

/** Repeats the last answer. Jitter is always one half. */
export function scriptedClient(...script: readonly Scripted[]) {
  return limitedClient({}, ...script);
}

export function limitedClient(
  limits: { readonly deadlineMs?: number; readonly attemptTimeoutMs?: number },
  ...script: readonly Scripted[]
) {
  const clock = createTestClock();
  const scripted = scriptedFetch(clock, ...script);
  const timers = createVirtualTimers(clock, () => 0.5);
  const address = { baseUrl: 'https://canvass.test/', secretKey: 'svc_sk_p1_secret' };
  return { ...scripted, clock, client: createCanvassClient({ ...address, ...limits, ...scripted, timers }) };
}
