/** See docs/events.md. */

import * as z from 'zod';
import { EVENT_TYPES, NEWS } from '../../shared/domain/happening.ts';

/** Accepts tokens, because the name may belong to a resource of the app. */
export const textOrToken = (pattern: string, what: string) =>
  z.string().regex(new RegExp(`^(?:${pattern}|\\$\\{Token\\[[^\\]]+\\]\\})$`), `must be ${what}`);

export const secretVersionId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{32,64}$/, 'must be the version id of a secret');

const isEachOnce = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

const BUS_NAME = '[/.\\-_A-Za-z0-9]{1,256}';

export const events = z
  .strictObject({
    busName: textOrToken(BUS_NAME, 'the name of an event bus').optional(),
    busArn: z
      .string()
      .regex(
        new RegExp(`^arn:[^:]+:events:[^:]+:\\d{12}:event-bus/${BUS_NAME}$`),
        'must be the ARN of an event bus',
      )
      .optional(),
    includeText: z.boolean().default(false),
  })
  .refine(({ busName, busArn }) => busName === undefined || busArn === undefined, {
    path: ['busArn'],
    error: 'excludes busName: set only one of them',
  });

export type EventConfig = z.output<typeof events>;

const jsonWebhook = z.strictObject({
  format: z.literal('json').optional(),
  url: z.url({ protocol: /^https$/, error: 'must be an https address' }),
  secretName: z.string().min(1).max(512),
  /** A deployment reads a new value only if the settings name its version (aws-cdk#20989). */
  secretVersion: secretVersionId.optional(),
  detailTypes: z.array(z.enum(EVENT_TYPES)).min(1).optional(),
  onlyLow: z.boolean().default(false),
});

export type WebhookSettings = z.output<typeof jsonWebhook>;

const projectId = z.string().regex(/^[\w-]{1,64}$/, 'must be the id of a project');

const SLACK_EVENTS = [...NEWS, 'digest'] as const;

/** A rule's pattern is limited to 2,048 characters (EventBridge, quotas). */
const MOST_PROJECTS = 40;

const slackWebhook = z.strictObject({
  format: z.literal('slack'),
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must match ^[a-z][a-z0-9-]{0,31}$'),
  secretName: z.string().min(1).max(512),
  projects: z.array(projectId).min(1).max(MOST_PROJECTS),
  events: z.array(z.enum(SLACK_EVENTS)).min(1),
  includeText: z.boolean().default(false),
});

export type SlackWebhookSettings = z.output<typeof slackWebhook>;

export const webhook = z.discriminatedUnion('format', [jsonWebhook, slackWebhook]);

/** EventBridge Scheduler accepts names of the IANA database and distinguishes case. */
function isTimeZone(text: string): boolean {
  try {
    return (
      /^[A-Z]\w*(\/[A-Z][\w+-]*)*$/.test(text) &&
      new Intl.DateTimeFormat('en', { timeZone: text }) !== undefined
    );
  } catch {
    return false;
  }
}

export const digest = z.strictObject({
  timeZone: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'must be the name of a time zone, such as Europe/Vienna'),
  mails: z.array(z.strictObject({ to: z.email(), projects: z.array(projectId).min(1).max(100) })).default([]),
});

export type DigestSettings = z.output<typeof digest>;

interface Telling {
  readonly events?: EventConfig | undefined;
  readonly webhooks: readonly z.output<typeof webhook>[];
  readonly digest?: DigestSettings | undefined;
}

export const jsonWebhooksOf = (webhooks: Telling['webhooks']): readonly WebhookSettings[] =>
  webhooks.filter((each) => each.format !== 'slack');
export const slackWebhooksOf = (webhooks: Telling['webhooks']): readonly SlackWebhookSettings[] =>
  webhooks.filter((each) => each.format === 'slack');

interface Rule {
  readonly path: readonly string[];
  readonly error: string;
  readonly isMet: (telling: Telling) => boolean;
}

export const TELLING_RULES: readonly Rule[] = [
  {
    path: ['webhooks'],
    error: 'require events: set "events": {} too',
    isMet: ({ events, webhooks }) => events !== undefined || webhooks.length === 0,
  },
  {
    path: ['webhooks'],
    error: 'cannot be combined with events.busArn: their rules would be in the other account',
    isMet: ({ events, webhooks }) => events?.busArn === undefined || webhooks.length === 0,
  },
  {
    path: ['webhooks'],
    error: 'must each have a different url',
    isMet: ({ webhooks }) => isEachOnce(jsonWebhooksOf(webhooks).map(({ url }) => url)),
  },
  {
    path: ['webhooks'],
    error: 'with the format slack must each have a different name',
    isMet: ({ webhooks }) => isEachOnce(slackWebhooksOf(webhooks).map(({ name }) => name)),
  },
  {
    path: ['webhooks'],
    error: 'can include text only if events do: set "events": { "includeText": true } too',
    isMet: ({ events, webhooks }) =>
      events?.includeText === true || !slackWebhooksOf(webhooks).some(({ includeText }) => includeText),
  },
  {
    path: ['webhooks'],
    error: 'can send digests only if the digest is enabled: set "digest": {} too',
    isMet: ({ digest, webhooks }) =>
      digest !== undefined || !slackWebhooksOf(webhooks).some((each) => each.events.includes('digest')),
  },
  {
    path: ['digest'],
    error: 'requires events: set "events": {} too',
    isMet: ({ events, digest }) => events !== undefined || digest === undefined,
  },
  {
    path: ['digest', 'mails'],
    error: 'must list each address once, with all its projects',
    isMet: ({ digest }) => isEachOnce((digest?.mails ?? []).map(({ to }) => to)),
  },
];
