/** The stack output with its webhooks, for the command line. */

/** A JSON list. */
export const WEBHOOKS_OUTPUT = 'Webhooks';

export interface WebhookOutput {
  readonly url: string;
  /** In Secrets Manager. */
  readonly secretName: string;
  /** The queue of failed deliveries. */
  readonly queueUrl: string;
}
