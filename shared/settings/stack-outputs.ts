/** Absent if the stage has no mint-key secret. */
export const MINT_KEY_OUTPUT = 'MintKeySecretName';

export const WEBHOOKS_OUTPUT = 'Webhooks';

export interface WebhookOutput {
  readonly url: string;
  readonly secretName: string;
  readonly queueUrl: string;
}
