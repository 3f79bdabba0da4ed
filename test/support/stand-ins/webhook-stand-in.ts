import type { IncomingMessage, ServerResponse } from 'node:http';
import { serve } from '../serve.ts';

type WebhookFault = '400' | '401' | '429' | '503' | 'reset' | 'lost';

interface KeptScore {
  readonly revision: number;
  /** An item of `GET /v1/sdk/pending-scores`. Undefined if it was withdrawn. */
  readonly data: Readonly<Record<string, unknown>> | undefined;
}

export async function startWebhookStandIn(faultOf: () => WebhookFault | undefined = () => undefined) {
  const scores = new Map<string, KeptScore>();
  const known = new Set<string>();
  let requests = 0;

  function keep(message: { readonly type: string; readonly data: Record<string, unknown> }): void {
    const isErased = message.type === 'canvass.score.withdrawn' && message.data.revision === undefined;
    const revision = isErased ? Number.POSITIVE_INFINITY : Number(message.data.revision ?? 0);
    const id = String(message.data.id);
    if ((scores.get(id)?.revision ?? -1) >= revision) return;
    scores.set(id, { revision, data: message.type === 'canvass.score' ? message.data : undefined });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requests += 1;
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const fault = faultOf();
    if (fault === 'reset') {
      request.socket.resetAndDestroy();
      return;
    }
    if (fault !== undefined && fault !== 'lost') {
      response.writeHead(Number(fault), fault === '429' ? { 'retry-after': '2' } : {}).end();
      return;
    }
    const id = String(request.headers['webhook-id']);
    if (!known.has(id)) keep(JSON.parse(text));
    known.add(id);
    if (fault === 'lost') request.socket.destroy();
    else response.writeHead(204).end();
  }

  const { url, stop } = await serve((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return {
    destination: {
      type: 'webhook' as const,
      url: `${url}/`,
      secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
    },
    scores,
    requests: () => requests,
    stop,
  };
}
