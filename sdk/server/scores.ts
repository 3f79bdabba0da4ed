export type {
  DeliveryOptions,
  Destination,
  Outcome,
} from '../../shared/delivery/destinations/destination.ts';
export { createLangfuseDestination } from '../../shared/delivery/destinations/langfuse.ts';
export { createOtlpDestination } from '../../shared/delivery/destinations/otlp.ts';
export { createWebhookDestination } from '../../shared/delivery/destinations/webhook.ts';
export { pushScores } from '../../shared/delivery/push-scores.ts';
