import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The one embedded DynamoDB of the whole run; tests make tables of their own in it. */
    dynamodbEndpoint: string;
  }
}

/**
 * Starts what all test files share; `DYNAMODB_ENDPOINT` runs the tests against another DynamoDB. It keeps its data in a file,
 * because in memory every write becomes slower with each one before it (docs/decisions/0002-embedded-dynamodb.md).
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'canvass-test-run-'));
  const dynamodb = await startEmbeddedDynamodb({ dataFolder, endpoint: process.env.DYNAMODB_ENDPOINT });
  project.provide('dynamodbEndpoint', dynamodb.endpoint);
  return async () => {
    await dynamodb.stop();
    rmSync(dataFolder, { recursive: true, force: true });
  };
}
