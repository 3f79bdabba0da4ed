import * as z from 'zod/mini';
import { createPostSigner } from '../../shared/data/aws/aws-call.ts';
import type { Destination } from '../../shared/delivery/destinations/destination.ts';
import {
  createLangfuseDestination,
  ENVIRONMENT_PATTERN,
  SCORE_NAME_PATTERN,
} from '../../shared/delivery/destinations/langfuse.ts';
import { createOtlpDestination } from '../../shared/delivery/destinations/otlp.ts';
import { createWebhookDestination } from '../../shared/delivery/destinations/webhook.ts';

const url = () => z.url({ protocol: /^https?$/, error: 'must be an http(s) URL' });
const text = () => z.string().check(z.minLength(1));
const scoreName = () => z.string().check(z.regex(SCORE_NAME_PATTERN, 'may contain {type} and {slug}'));

type Now = () => number;

/** @throws TypeError whose message quotes no options */
type Make<Options> = (options: Options, now: Now) => Destination;

function destination<Schema extends z.ZodMiniObject>(schema: Schema, make: Make<z.output<Schema>>) {
  return { schema, make: (options: unknown, now: Now) => make(schema.parse(options), now) };
}

const langfuse = destination(
  z.strictObject({
    type: z.literal('langfuse'),
    baseUrl: url(),
    publicKey: text(),
    secretKey: text(),
    name: z.exactOptional(scoreName()),
    environment: z.exactOptional(
      z.string().check(z.regex(ENVIRONMENT_PATTERN, 'is not a valid Langfuse environment')),
    ),
    includeText: z.exactOptional(z.boolean()),
  }),
  (options, now) => createLangfuseDestination({ ...options, now }),
);

const webhook = destination(
  z.strictObject({
    type: z.literal('webhook'),
    url: url(),
    secret: z.union([text(), z.array(text()).check(z.minLength(1))]),
    includeText: z.exactOptional(z.boolean()),
  }),
  (options, now) => createWebhookDestination({ ...options, now }),
);

const otlp = destination(
  z.strictObject({
    type: z.literal('otlp'),
    url: url(),
    headers: z.exactOptional(z.record(text(), z.string())),
    name: z.exactOptional(scoreName()),
    includeText: z.exactOptional(z.boolean()),
  }),
  (options, now) => createOtlpDestination({ ...options, now }),
);

const REGION = /^[a-z]{2}(-[a-z]+)+-\d$/;

/** See Amazon CloudWatch, "OTLP Endpoints", read 2026-11-22. */
const cloudwatch = destination(
  z.strictObject({
    type: z.literal('cloudwatch'),
    region: z.exactOptional(z.string().check(z.regex(REGION, 'must be a region'))),
    logGroup: text(),
    logStream: text(),
    name: z.exactOptional(scoreName()),
    includeText: z.exactOptional(z.boolean()),
  }),
  ({ region = process.env.AWS_REGION ?? '', logGroup, logStream, ...options }, now) => {
    const suffix = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
    return createOtlpDestination({
      ...options,
      url: `https://logs.${region}.${suffix}/v1/logs`,
      headers: { 'x-aws-log-group': logGroup, 'x-aws-log-stream': logStream },
      sign: createPostSigner('logs', region, now),
      destination: 'cloudwatch',
      now,
    });
  },
);

/** Accepts scores whose destination no longer exists. */
const none = destination(z.strictObject({ type: z.literal('none') }), () => ({
  name: 'none',
  deletes: false,
  deliver: async () => ({ kind: 'retry', reason: 'no destination is configured' }),
  withdraw: async () => ({ kind: 'delivered' }),
}));

export const DESTINATIONS = { langfuse, webhook, otlp, cloudwatch, none } as const;

export const destinationOptions = z.discriminatedUnion('type', [
  langfuse.schema,
  webhook.schema,
  otlp.schema,
  cloudwatch.schema,
  none.schema,
]);
