import { createAwsCall } from './aws-call.ts';

export interface TopicMessage {
  /** ASCII, one line, at most 99 characters. */
  readonly subject: string;
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const REQUEST_TIMEOUT_MS = 5_000;

export function createTopicPublisher(topicArn: string): (message: TopicMessage) => Promise<void> {
  const call = createAwsCall({
    name: 'SNS',
    service: 'sns',
    // SNS accepts no JSON (SNS, API Reference: "Query requests").
    form: '2010-03-31',
    endpoint: process.env.AWS_ENDPOINT_URL_SNS,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
  });
  return async ({ subject, text, attributes }) => {
    const named = Object.entries(attributes).flatMap(([name, value], index) => {
      const entry = `MessageAttributes.entry.${index + 1}`;
      return [
        [`${entry}.Name`, name],
        [`${entry}.Value.DataType`, 'String'],
        [`${entry}.Value.StringValue`, value],
      ];
    });
    await call('Publish', {
      TopicArn: topicArn,
      Subject: subject,
      Message: text,
      ...Object.fromEntries(named),
    });
  };
}
