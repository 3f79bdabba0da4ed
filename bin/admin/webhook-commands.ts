import { type Command, Option } from 'commander';
import * as z from 'zod';
import { didYouMean } from '../../shared/contract/did-you-mean.ts';
import { queueCall, readSecretAsOperator } from '../../shared/data/aws/operator-access.ts';
import { SECOND } from '../../shared/domain/duration.ts';
import { WEBHOOKS_OUTPUT, type WebhookOutput } from '../../shared/settings/stack-outputs.ts';
import { failure, misuse } from './admin-error.ts';
import type { Perform, Report } from './command.ts';
import type { Session } from './session.ts';
import { columns } from './terminal.ts';

const webhooks = z.array(z.object({ url: z.string(), secretName: z.string(), queueUrl: z.string() }));

function webhooksOf({ deployment: { origin } }: Session): readonly WebhookOutput[] {
  if (origin.kind === 'local')
    throw failure('A local instance has no webhooks. It posts events with --events.');
  const text = origin.optional(WEBHOOKS_OUTPUT);
  if (text === undefined)
    throw failure('The deployment has no webhooks, or it was deployed by a version that did not list them.');
  return webhooks.parse(JSON.parse(text));
}

const callQueue = ({ queueUrl }: WebhookOutput) => queueCall(new URL(queueUrl).origin);

const COUNT = 'ApproximateNumberOfMessages';
const counted = z.object({ Attributes: z.object({ [COUNT]: z.string() }) });

async function list(session: Session): Promise<Report> {
  const json = [];
  for (const webhook of webhooksOf(session)) {
    const call = await callQueue(webhook);
    const reply = await call('GetQueueAttributes', { QueueUrl: webhook.queueUrl, AttributeNames: [COUNT] });
    json.push({ url: webhook.url, waiting: Number(counted.parse(reply).Attributes[COUNT]) });
  }
  const rows = json.map(({ url, waiting }) => [url, String(waiting)]);
  return { json, text: columns(['URL', 'WAITING'], rows, session.terminal) };
}

const received = z.object({
  Messages: z
    .array(z.object({ MessageId: z.string(), ReceiptHandle: z.string(), Body: z.string() }))
    .nullish(),
});

/** Usually longer than the run of the command. */
const HIDDEN_SECONDS = 120;
/** Twice EventBridge's limit (EventBridge, "API destinations": 5 seconds). */
const PATIENCE_MS = 10 * SECOND;

async function post(url: string, authorization: string, body: string): Promise<string | undefined> {
  try {
    const { status } = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', authorization },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return status >= 200 && status < 300 ? undefined : `HTTP ${status}`;
  } catch (error) {
    const { name, cause } = error instanceof Error ? error : new Error();
    return cause instanceof Error ? cause.message : name;
  }
}

function chosen(all: readonly WebhookOutput[], url: string | undefined): WebhookOutput {
  const urls = all.map((webhook) => webhook.url);
  if (url === undefined && all.length > 1) throw misuse(`Choose a webhook with --url: ${urls.join(', ')}.`);
  const found = all.find((webhook) => url === undefined || webhook.url === url);
  if (found !== undefined) return found;
  throw failure(`There is no webhook ${url}.${didYouMean(url ?? '', urls)}`);
}

async function resend(session: Session, flags: { readonly url?: string }): Promise<Report> {
  const webhook = chosen(webhooksOf(session), flags.url);
  const { url, secretName, queueUrl: QueueUrl } = webhook;
  const authorization = await readSecretAsOperator(secretName);
  const call = await callQueue(webhook);
  const seen = new Set<string>();
  const json = { url, sent: 0, refused: 0 };
  let reason: string | undefined;
  for (;;) {
    const { Messages } = received.parse(
      await call('ReceiveMessage', {
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: 2,
        VisibilityTimeout: HIDDEN_SECONDS,
      }),
    );
    const fresh = (Messages ?? []).filter(({ MessageId }) => !seen.has(MessageId));
    const before = json.sent;
    for (const { MessageId, ReceiptHandle, Body } of fresh) {
      seen.add(MessageId);
      const problem = await post(url, authorization, Body);
      if (problem === undefined) {
        await call('DeleteMessage', { QueueUrl, ReceiptHandle });
        json.sent++;
      } else {
        json.refused++;
        reason = problem;
      }
    }
    // The receiver accepted nothing of this batch.
    if (json.sent === before) break;
  }
  return {
    json,
    text: `Sent: ${json.sent}.`,
    problem:
      reason === undefined
        ? undefined
        : `${json.refused} failed (${reason}) and stay in the queue. You can send them again in two minutes.`,
  };
}

export function addWebhookCommands(program: Command, perform: Perform): void {
  const webhook = program.command('webhook').description('failed webhook deliveries');
  webhook
    .command('list')
    .description('list webhooks and the number of events in the queue of each')
    .action(perform(list));
  webhook
    .command('resend')
    .description('send failed deliveries again with the current secret')
    .addOption(new Option('--url <url>', 'address of the webhook; required if there are several'))
    .action(perform(resend));
}
