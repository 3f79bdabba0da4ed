import type { BootstrapReply, Survey } from '../../../sdk/browser/wire.ts';

export interface Exchange {
  readonly path: string;
  readonly sent: unknown;
  /** Absent, as `reply`, when none came. */
  readonly status?: number;
  readonly reply?: unknown;
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
    if (!path.startsWith('/v1/')) return original(input, init);
    const sent: unknown = JSON.parse(String(init?.body ?? '{}'));
    const response = await original(input, init).catch((cause) => {
      watched({ path, sent });
      throw cause;
    });
    const reply: Partial<BootstrapReply> = await response.clone().json();
    watched({ path, sent, status: response.status, reply });
    const wanted = presentation();
    if (!reply.surveys || !wanted) return response;
    const surveys = reply.surveys.map((survey) => ({ ...survey, presentation: wanted }));
    return new Response(JSON.stringify({ ...reply, surveys }), response);
  };
}
