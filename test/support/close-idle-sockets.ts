/**
 * Closes idle connections after each test. Tests create thousands of clients, and the emulator hangs above 20,000
 * connections.
 */

import { Agent } from 'node:http';
import { afterEach } from 'vitest';

type AddRequest = (this: Agent, ...rest: unknown[]) => unknown;

/** Test files share one process, and each evaluates this file. */
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
