import { serveInTest } from '../serve.ts';

interface SlackAnswer {
  readonly status: number;
  readonly body?: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

export type SlackFault = SlackAnswer | 'reset';

interface SlackPost {
  readonly path: string;
  // biome-ignore lint/suspicious/noExplicitAny: a JSON message, read by name.
  readonly message: any;
}

const REFUSED: Readonly<Record<number, string>> = {
  400: 'invalid_payload',
  403: 'action_prohibited',
  404: 'no_service',
  410: 'channel_is_archived',
  429: 'rate_limited',
};

// biome-ignore lint/suspicious/noExplicitAny: as it arrives.
function isValid({ text, blocks }: any): boolean {
  const isSection = (block: { type: string; text: { type: string; text: string } }) =>
    block.type === 'section' &&
    block.text.type === 'mrkdwn' &&
    block.text.text.length >= 1 &&
    block.text.text.length <= 3_000;
  return typeof text === 'string' && blocks.length >= 1 && blocks.length <= 50 && blocks.every(isSection);
}

/** @param faultOf the fault of the nth request, counted from 1 */
export async function startSlack(
  faultOf: (nth: number) => SlackFault | undefined = () => undefined,
  isKnown: (path: string) => boolean = () => true,
) {
  const posts: SlackPost[] = [];
  let asked = 0;
  const url = await serveInTest(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    asked += 1;
    const path = request.url ?? '';
    const fault = faultOf(asked);
    if (fault === 'reset') return request.socket.destroy();
    const message = JSON.parse(body);
    const refusal = isKnown(path) ? (isValid(message) ? undefined : { status: 400 }) : { status: 404 };
    const answer: SlackAnswer = fault ?? refusal ?? { status: 200, body: 'ok' };
    if (answer.status === 200) posts.push({ path, message });
    const headers = answer.retryAfter === undefined ? {} : { 'retry-after': String(answer.retryAfter) };
    response
      .writeHead(answer.status, headers)
      .end(answer.body ?? REFUSED[answer.status] ?? '<html>Error</html>');
  });
  return { url, posts, asked: () => asked };
}
