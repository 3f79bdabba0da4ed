/** The settings of what a stage tells: events, webhooks, the digest of the week (docs/events.md). */

import * as z from 'zod';
import { EVENT_TYPES, NEWS } from '../../shared/domain/happening.ts';
import { isEachOnce, secretVersionId, textOrToken } from './setting-fields.ts';

const BUS_NAME = '[/.\\-_A-Za-z0-9]{1,256}';

export const events = z
  .strictObject({
    /** A bus of the stage's account and region, `default` unless said (EventBridge, CreateEventBus: Name). */
    busName: textOrToken(BUS_NAME, 'the name of an event bus').optional(),
    /** A bus of another account, in the stage's region, that lets this one put events (EventBridge, PutEvents: EventBusName). */
    busArn: z
      .string()
      .regex(
        new RegExp(`^arn:[^:]+:events:[^:]+:\\d{12}:event-bus/${BUS_NAME}$`),
        'must be the ARN of an event bus',
      )
      .optional(),
    /** Lets events carry text, traits and contact. */
    includeText: z.boolean().default(false),
  })
  .refine(({ busName, busArn }) => busName === undefined || busArn === undefined, {
    path: ['busArn'],
    error: 'excludes busName: give one of them',
  });

export type EventConfig = z.output<typeof events>;

const jsonWebhook = z.strictObject({
  /** The event as EventBridge has it. */
  format: z.literal('json').optional(),
  url: z.url({ protocol: /^https$/, error: 'must be an https address' }),
  /** Of Secrets Manager: its text is sent as the header `authorization`. */
  secretName: z.string().min(1).max(512),
  /**
   * Which version of the secret is sent; by default the one that was current when the stack last changed. A deployment
   * sees a new value only where its version is named (aws-cdk#20989).
   */
  secretVersion: secretVersionId.optional(),
  /** By default all types. */
  detailTypes: z.array(z.enum(EVENT_TYPES)).min(1).optional(),
  /** Only responses with a detractor's rating. */
  onlyLow: z.boolean().default(false),
});

export type WebhookSettings = z.output<typeof jsonWebhook>;

/** As the command line prints it. */
const projectId = z.string().regex(/^[\w-]{1,64}$/, 'must be the id of a project');

/** What a channel can be told: of answers what is new in them, and the digest of the week. */
const SLACK_EVENTS = [...NEWS, 'digest'] as const;

/** Of a rule's pattern, which has at most 2,048 characters (EventBridge, quotas), the larger part. */
const MOST_PROJECTS = 40;

const slackWebhook = z.strictObject({
  /** Lines for people, to a channel of Slack. */
  format: z.literal('slack'),
  /** Names its rule, and what logs say of it. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must match ^[a-z][a-z0-9-]{0,31}$'),
  /** Of Secrets Manager: its text is the address of an incoming webhook, read whenever a message is sent. */
  secretName: z.string().min(1).max(512),
  /** Whose answers: one team does not read another's. */
  projects: z.array(projectId).min(1).max(MOST_PROJECTS),
  events: z.array(z.enum(SLACK_EVENTS)).min(1),
  /** Lets lines have what people wrote. */
  includeText: z.boolean().default(false),
});

export type SlackWebhookSettings = z.output<typeof slackWebhook>;

export const webhook = z.discriminatedUnion('format', [jsonWebhook, slackWebhook]);

/** Whether it is a zone of the IANA database by its name, as EventBridge Scheduler takes them: capitals are the name's. */
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
  /** In which it is Monday, 08:00. */
  timeZone: z
    .string()
    .default('UTC')
    .refine(isTimeZone, 'must be a time zone by its name, such as Europe/Vienna'),
  /** Who is mailed, each the digests of these projects alone. */
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

/** What one of them asks of another. */
export const TELLING_RULES: readonly Rule[] = [
  {
    path: ['webhooks'],
    error: 'need events: set "events": {} as well',
    isMet: ({ events, webhooks }) => events !== undefined || webhooks.length === 0,
  },
  {
    path: ['webhooks'],
    error: 'cannot be on a bus of another account: their rules would lie there',
    isMet: ({ events, webhooks }) => events?.busArn === undefined || webhooks.length === 0,
  },
  {
    path: ['webhooks'],
    error: 'must have an address of its own each',
    isMet: ({ webhooks }) => isEachOnce(jsonWebhooksOf(webhooks).map(({ url }) => url)),
  },
  {
    path: ['webhooks'],
    error: 'must have a name of its own each, where their format is slack',
    isMet: ({ webhooks }) => isEachOnce(slackWebhooksOf(webhooks).map(({ name }) => name)),
  },
  {
    path: ['webhooks'],
    error: 'can include text only where events do: set "events": { "includeText": true } as well',
    isMet: ({ events, webhooks }) =>
      events?.includeText === true || !slackWebhooksOf(webhooks).some(({ includeText }) => includeText),
  },
  {
    path: ['webhooks'],
    error: 'tell digests only where there are: set "digest": {} as well',
    isMet: ({ digest, webhooks }) =>
      digest !== undefined || !slackWebhooksOf(webhooks).some((each) => each.events.includes('digest')),
  },
  {
    path: ['digest'],
    error: 'needs events: set "events": {} as well',
    isMet: ({ events, digest }) => events !== undefined || digest === undefined,
  },
  {
    path: ['digest', 'mails'],
    error: 'must have an address each: one address with all its projects',
    isMet: ({ digest }) => isEachOnce((digest?.mails ?? []).map(({ to }) => to)),
  },
];
