import type { BootstrapReply, Survey } from '../../../sdk/browser/wire.ts';

export interface Exchange {
  readonly path: string;
  readonly sent: unknown;
  readonly status: number;
  readonly reply: unknown;
}

/**
 * Watches what the SDK asks of the service, and changes how the surveys it is told of are presented: a demo wants to show
 * each survey in each way, where a team would say it once, in the survey's definition.
 */
export function watchFetch(
  presentation: () => Survey['presentation'] | undefined,
  watched: (exchange: Exchange) => void,
): void {
  const original = window.fetch;
  window.fetch = async (input, init) => {
    const path = new URL(String(input), location.href).pathname;
    const response = await original(input, init);
    if (!path.startsWith('/v1/')) return response;
    const reply: Partial<BootstrapReply> = await response.clone().json();
    watched({ path, sent: JSON.parse(String(init?.body ?? '{}')), status: response.status, reply });
    const wanted = presentation();
    if (!reply.surveys || !wanted) return response;
    const surveys = reply.surveys.map((survey) => ({ ...survey, presentation: wanted }));
    return new Response(JSON.stringify({ ...reply, surveys }), response);
  };
}
