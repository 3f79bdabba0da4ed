import {
  clock,
  counts,
  eventOptions,
  eventOutlet,
  folds,
  log,
  projectSettings,
  type Service,
  scoreWaker,
  surveyCountings,
  table,
} from './runtime/compose.ts';
import { serviceOnLambda } from './runtime/on-lambda.ts';
import { createStreamHandler, type StreamHandler } from './stream/consume.ts';
import { createCounting } from './stream/count-answers.ts';
import { createHistoryFolding } from './stream/fold-histories.ts';
import { createShowPruning } from './stream/prune-shows.ts';
import { createEventQueueing } from './stream/queue-events.ts';
import { createWaking } from './stream/wake-adapter.ts';

/** The only consumer of the stream. */
export function onChange(service: Service): StreamHandler {
  const outlet = eventOutlet(service);
  const queueing =
    outlet &&
    createEventQueueing({
      outlet,
      settings: projectSettings(service),
      options: eventOptions(service),
      clock: clock(service),
      log: log(service),
    });
  return createStreamHandler(
    [
      createCounting({ counts: counts(service), countings: surveyCountings(service), log: log(service) }),
      createHistoryFolding({ folds: folds(service), clock: clock(service), log: log(service) }),
      createWaking({ waker: scoreWaker(service), log: log(service) }),
      createShowPruning({ table: table(service), clock: clock(service), log: log(service) }),
      ...(queueing === undefined ? [] : [queueing]),
    ],
    log(service),
  );
}

export const handler = serviceOnLambda(onChange);
