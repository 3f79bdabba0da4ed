/** What a team writes without much thought: middy, its JSON parser, a zod schema, one call of the document client. */

import { randomUUID } from 'node:crypto';
import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import * as z from 'zod';

const input = z.object({
  key: z.string().min(1).optional(),
  userId: z.string().min(1).max(256).optional(),
  respondentId: z.string().min(1).max(256).optional(),
  sessionId: z.string().min(1).max(256).optional(),
  showToken: z.string().min(1).max(1_024).optional(),
  surveyId: z.string().min(1).max(256).optional(),
  rating: z.int().min(0).max(10).optional(),
  text: z.string().max(5_000).optional(),
});

export type PlainHandler = (event: APIGatewayProxyEventV2) => Promise<APIGatewayProxyStructuredResultV2>;

/** @param call the one call to DynamoDB */
export function plainHandler(call: () => Promise<unknown>): PlainHandler {
  const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
    .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
    .handler(async (event) => {
      const parsed = input.parse(event.body);
      await call();
      const body = JSON.stringify({ ok: true, id: randomUUID(), survey: parsed.surveyId });
      return { statusCode: 200, headers: { 'content-type': 'application/json' }, body };
    });
  return (event) => Promise.resolve(handler(event, CONTEXT));
}

const CONTEXT = {
  callbackWaitsForEmptyEventLoop: false,
  functionName: 'plain',
  functionVersion: '1',
  invokedFunctionArn: '',
  memoryLimitInMB: '1024',
  awsRequestId: '',
  logGroupName: '',
  logStreamName: '',
  getRemainingTimeInMillis: () => 10_000,
  done: () => undefined,
  fail: () => undefined,
  succeed: () => undefined,
};
