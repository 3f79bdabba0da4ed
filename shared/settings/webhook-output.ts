/** What a stack says of its webhooks, for the operator's command line. */

/** The output, a JSON list. */
export const WEBHOOKS_OUTPUT = 'Webhooks';

export interface WebhookOutput {
  readonly url: string;
  /** Of Secrets Manager. */
  readonly secretName: string;
  /** Of the queue in which events wait that it did not take. */
  readonly queueUrl: string;
}
