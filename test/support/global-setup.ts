import type { TestProject } from 'vitest/node';
import { startEmbeddedDynamodb } from '../../local/embedded-dynamodb.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbEndpoint: string;
  }
}

/** Set `DYNAMODB_ENDPOINT` to use another DynamoDB. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dynamodb = await startEmbeddedDynamodb({ endpoint: process.env.DYNAMODB_ENDPOINT });
  project.provide('dynamodbEndpoint', dynamodb.endpoint);
  return dynamodb.stop;
}
