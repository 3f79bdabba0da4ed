/** Posting one message to Slack, in one or a few attempts. */

import { SECOND } from '../../shared/domain/duration.ts';
import type { SlackMessage } from './slack-message.ts';

/** An attempt's own; three of them and the pauses between are less than the function has. */
const ATTEMPT_MS = 5 * SECOND;
const ATTEMPTS = 3;
/** The longest that is waited here; after what asks for more, the message comes again from the queue. */
const LONGEST_PAUSE_MS = 10 * SECOND;

/** Why Slack took no message, without its address. */
export class NotTaken extends Error {
  override readonly name = 'NotTaken';
  /** When it may be tried again, milliseconds; undefined where trying at once makes no sense. */
  readonly pauseMs: number | undefined;

  constructor(reason: string, pauseMs?: number) {
    super(reason);
    this.pauseMs = pauseMs;
  }
}

/** Seconds (docs.slack.dev, "Rate limits": 429 and Retry-After). */
function pauseOf(retryAfter: string | null): number {
  const seconds = Number(retryAfter ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND : SECOND;
}

/** A short word of Slack's, such as `no_service`; a page in an outage is not repeated. */
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
      // What the error says may have the address in it.
      throw new NotTaken('no reply', SECOND);
    }
  };
  const { reply, body } = await answer();
  if (reply.ok) return;
  const said = `it answered ${reply.status}${wordIn(body)}`;
  if (reply.status === 429) throw new NotTaken(said, pauseOf(reply.headers.get('retry-after')));
  throw reply.status >= 500 ? new NotTaken(said, SECOND) : new NotTaken(said);
}

/**
 * @param readAddress asked before each attempt, so that one that was changed meanwhile is used
 * @throws NotTaken, or what `readAddress` throws
 */
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
