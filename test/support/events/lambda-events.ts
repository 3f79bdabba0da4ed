import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, SQSEvent, SQSRecord } from 'aws-lambda';

interface GatewayRequest {
  readonly method: string;
  readonly path: string;
  /** The query string without the question mark. */
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly isBase64Encoded?: boolean;
  readonly sourceIp?: string;
}

/** Payload format 2.0 of API Gateway. */
export function gatewayEvent({
  method,
  path,
  query,
  headers,
  body,
  isBase64Encoded = false,
  sourceIp = '127.0.0.1',
}: GatewayRequest): APIGatewayProxyEventV2 {
  const routeKey = `${method} ${path}`;
  const userAgent = headers['user-agent'] ?? 'test';
  return {
    version: '2.0',
    routeKey,
    rawPath: path,
    rawQueryString: query,
    headers: { ...headers },
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: headers.host ?? 'localhost',
      domainPrefix: 'localhost',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent },
      requestId: randomUUID(),
      routeKey,
      stage: '$default',
      time: '20/Nov/2026:09:30:00 +0000',
      timeEpoch: 0,
    },
    isBase64Encoded,
    ...(body !== undefined && { body }),
  };
}

/** All messages were sent at the epoch. The id of a message is its index. */
export function anSqsEvent(bodies: readonly unknown[]): SQSEvent {
  const record = (body: unknown, index: number): SQSRecord => ({
    messageId: String(index),
    receiptHandle: '',
    body: JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: '',
  });
  return { Records: bodies.map(record) };
}
