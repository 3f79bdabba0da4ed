/** Runs before each test file. */

import { Agent } from 'node:http';
import fc from 'fast-check';
import { afterAll, afterEach, vi } from 'vitest';
import { IS_WHOLE } from './depth.ts';
import { oncePerProcess } from './once-per-process.ts';
import { SEED } from './random.ts';

type AddRequest = (this: Agent, ...rest: unknown[]) => unknown;

function watchAgents(): Set<Agent> {
  const agents = new Set<Agent>();
  const addRequest: AddRequest = Reflect.get(Agent.prototype, 'addRequest');
  Reflect.set(Agent.prototype, 'addRequest', function (this: Agent, ...rest: unknown[]) {
    agents.add(this);
    return addRequest.apply(this, rest);
  } satisfies AddRequest);
  return agents;
}

const agents = oncePerProcess('agents', watchAgents);

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
