/** What a run of the score adapter is given. */

import type { Timers } from '../../sdk/server/transport/timers.ts';
import type { Service } from '../runtime/compose.ts';

export interface PushContext {
  readonly service: Service;
  /** JSON, as `readPushEntries` takes it. A run that was woken may be given what was read within the last minute. */
  readonly readConfiguration: (mayBeKept: boolean) => Promise<string>;
  /** Fresh per run. */
  readonly runId: () => string;
  readonly timers?: Timers;
  /** Ends runs early. */
  readonly signal?: AbortSignal;
}

/** The CloudWatch namespace of the deployment's metrics. */
export const metricsNamespaceOf = ({ config }: Service): string => config.metricsNamespace ?? 'canvass-local';
