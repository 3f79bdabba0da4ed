import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The one embedded DynamoDB of the whole project; tests make tables of their own in it. */
    dynamodbEndpoint: string;
  }
}

/** Starts what all test files share; `DYNAMODB_ENDPOINT` runs the tests against another DynamoDB. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dynamodb = await startEmbeddedDynamodb({ endpoint: process.env.DYNAMODB_ENDPOINT });
  project.provide('dynamodbEndpoint', dynamodb.endpoint);
  return dynamodb.stop;
}
