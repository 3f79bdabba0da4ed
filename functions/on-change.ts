import { clock, log, type Service, serviceOnLambda, table } from './runtime/compose.ts';
import { folds } from './runtime/parts/answers.ts';
import { eventOptions, eventOutlet } from './runtime/parts/events.ts';
import { counts, surveyCountings } from './runtime/parts/results.ts';
import { scoreWaker } from './runtime/parts/scores.ts';
import { projectSettings } from './runtime/settings-cache.ts';
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
