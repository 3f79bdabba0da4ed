import type { SQSEvent, SQSRecord } from 'aws-lambda';

/** Messages were sent at the epoch. The id of each is its index. */
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
