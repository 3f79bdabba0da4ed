import type { SQSEvent, SQSRecord } from 'aws-lambda';

/** What Lambda gives a function of messages with these bodies, queued at the epoch; each message's id is its place. */
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
