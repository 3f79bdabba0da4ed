/**
 * Tests make thousands of clients, each of which keeps its connections; the emulator has room for 20,000, and hangs
 * beyond. After each test those that are idle are closed.
 */

import { Agent } from 'node:http';
import { afterEach } from 'vitest';

type AddRequest = (this: Agent, ...rest: unknown[]) => unknown;

/** Files share one process, and this file is evaluated for each. */
const PATCHED = Symbol.for('canvass.agents-in-use');

const shared = globalThis as { [PATCHED]?: Set<Agent> };

function watchAgents(): Set<Agent> {
  const agents = new Set<Agent>();
  const addRequest: AddRequest = Reflect.get(Agent.prototype, 'addRequest');
  Reflect.set(Agent.prototype, 'addRequest', function (this: Agent, ...rest: unknown[]) {
    agents.add(this);
    return addRequest.apply(this, rest);
  } satisfies AddRequest);
  return agents;
}

shared[PATCHED] ??= watchAgents();
const agents = shared[PATCHED];

afterEach(() => {
  for (const agent of agents) {
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }
  agents.clear();
});
