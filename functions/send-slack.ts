import { setTimeout } from 'node:timers/promises';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod/mini';
import { surveyDigestDetail } from '../shared/contract/event-schemas.ts';
import { createSecretReader } from '../shared/data/aws/secrets-manager.ts';
import { SECOND } from '../shared/domain/duration.ts';
import { once } from '../shared/domain/memory.ts';
import { ENVIRONMENT, SLACK_ENVIRONMENT } from '../shared/settings/environment.ts';
import { readWatching } from '../shared/settings/metrics.ts';
import { createLogger, type Logger } from './runtime/logger.ts';
import { type Environment, required, underLambda } from './runtime/service-config.ts';
import { NotTaken, parseSlackAddress, postMessage } from './slack/post-message.ts';
import { answerDetail, answerMessage, digestMessage, type SlackMessage } from './slack/slack-message.ts';

/** Composed by the rules of lib/slack.ts. */
const queued = once(() =>
  z.object({
    webhook: z.object({
      name: z.string(),
      secretId: z.string(),
      events: z.array(z.string()),
      includeText: z.boolean(),
    }),
    /** Only digests have a `week`. */
    detail: z.union([surveyDigestDetail(), answerDetail()]),
  }),
);
type Queued = z.output<ReturnType<typeof queued>>;

interface SlackSending {
  readonly readSecret: (id: string) => Promise<string>;
  readonly parseAddress: (text: string) => string | undefined;
  readonly url: string;
  readonly sleep: (ms: number) => Promise<unknown>;
  readonly log: Logger;
}

/** Slack accepts one message a second per channel (docs.slack.dev, "Rate limits"). */
const PACE_MS = SECOND;

/** Parser errors quote the body, so they are not logged. */
function readQueued(body: string): Queued | undefined {
  try {
    return queued().safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

function messageOf({ webhook, detail }: Queued, url: string): SlackMessage | undefined {
  if (!('week' in detail)) return answerMessage(detail, { ...webhook, url });
  return webhook.events.includes('digest') ? digestMessage(detail, url) : undefined;
}

/** Rejected messages are retried after the visibility timeout, until they are dead letters. */
export function createSlackSender({ readSecret, parseAddress, url, sleep, log }: SlackSending) {
  async function send(message: SlackMessage, secretId: string): Promise<void> {
    const readAddress = async () => {
      const address = parseAddress(await readSecret(secretId));
      if (address === undefined) throw new NotTaken('the secret does not contain an incoming webhook URL');
      return address;
    };
    await postMessage(readAddress, message, sleep);
  }

  async function take(body: string): Promise<'sent' | 'nothing to say' | 'waits'> {
    const read = readQueued(body);
    const about = { webhook: read?.webhook.name, event: read?.detail.id };
    try {
      if (read === undefined) throw new NotTaken('the message is not an event');
      const message = messageOf(read, url);
      if (message === undefined) return 'nothing to say';
      await send(message, read.webhook.secretId);
      log.info({ message: 'slack message sent', ...about });
      return 'sent';
    } catch (error) {
      log.error({ message: 'slack message not delivered', ...about, error });
      return 'waits';
    }
  }

  return async ({ Records }: SQSEvent): Promise<SQSBatchResponse> => {
    for (const [place, { body }] of Records.entries()) {
      const taken = await take(body);
      if (taken === 'waits') {
        // Later messages stay in the queue too, to keep the order.
        const left = Records.slice(place).map(({ messageId }) => ({ itemIdentifier: messageId }));
        return { batchItemFailures: left };
      }
      if (taken === 'sent') await sleep(PACE_MS);
    }
    return { batchItemFailures: [] };
  };
}

const readSettings = (environment: Environment) => ({
  url: required(environment, SLACK_ENVIRONMENT.url),
  metricsNamespace: environment[ENVIRONMENT.metricsNamespace],
  watching: readWatching(environment[ENVIRONMENT.watching]),
});

export const handler = underLambda(readSettings, ({ url, ...metrics }) =>
  createSlackSender({
    readSecret: createSecretReader(),
    parseAddress: parseSlackAddress,
    url,
    sleep: (ms) => setTimeout(ms),
    log: createLogger(undefined, metrics),
  }),
);
