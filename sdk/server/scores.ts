/**
 * What `@canvass-surveys/server/scores` offers: pushing scores to Langfuse, a webhook or OTLP, from a process of your
 * own.
 */

export type { DeliveryOptions, Destination, Outcome } from './destinations/destination.ts';
export { createLangfuseDestination } from './destinations/langfuse.ts';
export { createOtlpDestination } from './destinations/otlp.ts';
export { createWebhookDestination } from './destinations/webhook.ts';
export { pushScores } from './push-scores.ts';
