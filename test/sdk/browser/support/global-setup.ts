import type { TestProject } from 'vitest/node';
import { type Bench, startBench } from './bench.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    bench: Bench;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { stop, ...bench } = await startBench();
  project.provide('bench', bench);
  return stop;
}
