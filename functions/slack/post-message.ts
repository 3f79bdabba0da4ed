import { SECOND } from '../../shared/domain/duration.ts';
import type { SlackMessage } from './slack-message.ts';

/** The hosts of Slack and GovSlack (docs.slack.dev, "GovSlack"). */
const HOSTS: readonly string[] = ['hooks.slack.com', 'hooks.slack-gov.com'];

const PATH = /^\/services\/[\w-]+\/[\w-]+\/[\w-]+$/;

export function parseSlackAddress(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (url === null || url.protocol !== 'https:' || !HOSTS.includes(url.host)) return undefined;
  const isPlain = url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && PATH.test(url.pathname) ? url.href : undefined;
}

/** Three attempts and their pauses fit into the function's timeout. */
const ATTEMPT_MS = 5 * SECOND;
const ATTEMPTS = 3;
/** For a longer pause, the queue delivers the message again. */
const LONGEST_PAUSE_MS = 10 * SECOND;

/** The message never contains the address of the webhook. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  /** In milliseconds. Undefined if a retry cannot succeed. */
  readonly pauseMs: number | undefined;

  constructor(reason: string, pauseMs?: number) {
    super(reason);
    this.pauseMs = pauseMs;
  }
}

/** `Retry-After` is in seconds (docs.slack.dev, "Rate limits"). */
function pauseOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND : SECOND;
}

/** Returns only Slack's error codes, such as `no_service`. */
const wordIn = (body: string): string => (/^[a-z_]{1,60}$/.test(body.trim()) ? `: ${body.trim()}` : '');

async function attempt(address: string, message: SlackMessage): Promise<void> {
  const answer = async () => {
    try {
      const reply = await fetch(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify(message),
        redirect: 'manual',
        signal: AbortSignal.timeout(ATTEMPT_MS),
      });
      return { reply, body: await reply.text() };
    } catch {
      // The error's message may contain the address.
      throw new NotTaken('no reply', SECOND);
    }
  };
  const { reply, body } = await answer();
  if (reply.ok) return;
  const said = `Slack replied ${reply.status}${wordIn(body)}`;
  if (reply.status === 429) throw new NotTaken(said, pauseOf(reply.headers.get('retry-after')));
  throw reply.status >= 500 ? new NotTaken(said, SECOND) : new NotTaken(said);
}

export async function postMessage(
  readAddress: () => Promise<string>,
  message: SlackMessage,
  sleep: (ms: number) => Promise<unknown>,
): Promise<void> {
  for (let nth = 1; ; nth++) {
    try {
      return await attempt(await readAddress(), message);
    } catch (error) {
      const pause = error instanceof NotTaken ? error.pauseMs : undefined;
      if (pause === undefined || pause > LONGEST_PAUSE_MS || nth === ATTEMPTS) throw error;
      await sleep(Math.min(LONGEST_PAUSE_MS, pause * 2 ** (nth - 1)));
    }
  }
}
