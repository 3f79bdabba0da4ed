/** Runs before each test file. Test files share one process, and each evaluates this file again. */

import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, vi } from 'vitest';
import { IS_WHOLE } from './depth.ts';
import { SEED } from './random.ts';

type AddRequest = (this: Agent, ...rest: unknown[]) => unknown;

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

// Tests create thousands of clients, and the emulator hangs above 20,000 connections.
afterEach(() => {
  for (const agent of agents) {
    for (const socket of Object.values(agent.freeSockets).flat()) socket?.destroy();
  }
  agents.clear();
});

afterAll(() => {
  vi.unstubAllEnvs();
});

// Shrinking a long history can exceed the test's timeout, which would hide the seed.
fc.configureGlobal({ seed: SEED, endOnFailure: IS_WHOLE });
