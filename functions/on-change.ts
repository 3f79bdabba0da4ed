import { log, type Service, serviceOnLambda } from './runtime/compose.ts';
import { createAnswerClearing } from './stream/clear-answers.ts';
import { createStreamHandler, type StreamHandler } from './stream/consume.ts';
import { createCounting } from './stream/count-answers.ts';
import { createHistoryFolding } from './stream/fold-histories.ts';
import { createShowPruning } from './stream/prune-shows.ts';
import { createEventQueueing } from './stream/queue-events.ts';
import { createWaking } from './stream/wake-adapter.ts';

const CONSUMERS = [
  createCounting,
  createHistoryFolding,
  createWaking,
  createShowPruning,
  createEventQueueing,
  createAnswerClearing,
] as const;

/** The only consumer of the stream. */
export const onChange = (service: Service): StreamHandler =>
  createStreamHandler(
    CONSUMERS.map((create) => create(service)),
    log(service),
  );

export const handler = serviceOnLambda(onChange);
