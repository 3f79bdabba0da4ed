/** Outputs of the stack that the command line reads. */

/** The name of the construct's mint-key secret; absent if nothing may mint. */
export const MINT_KEY_OUTPUT = 'MintKeySecretName';

/** A JSON list of webhooks. */
export const WEBHOOKS_OUTPUT = 'Webhooks';

export interface WebhookOutput {
  readonly url: string;
  /** In Secrets Manager. */
  readonly secretName: string;
  /** The queue of failed deliveries. */
  readonly queueUrl: string;
}
