/** What `@canvass-surveys/server/scores` offers: pushing scores to Langfuse, a webhook or OTLP, from a process of your own. */

export type { DeliveryOptions, Destination, Outcome } from './destination.ts';
export { createLangfuseDestination } from './langfuse.ts';
export { createOtlpDestination } from './otlp.ts';
export { pushScores } from './push-scores.ts';
export { createWebhookDestination } from './webhook.ts';
