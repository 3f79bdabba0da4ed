import { clock, counts, folds, log, type Service, scoreWaker, surveySegments } from './runtime/compose.ts';
import { serviceOnLambda } from './runtime/on-lambda.ts';
import { createStreamHandler, type StreamHandler } from './stream/consume.ts';
import { createCounting } from './stream/count-answers.ts';
import { createHistoryFolding } from './stream/fold-histories.ts';
import { createWaking } from './stream/wake-adapter.ts';

/** Everything that follows from a change of an answer, behind every request: the one consumer of the table's stream. */
export const onChange = (service: Service): StreamHandler =>
  createStreamHandler(
    [
      createCounting({ counts: counts(service), segments: surveySegments(service), log: log(service) }),
      createHistoryFolding({ folds: folds(service), clock: clock(service), log: log(service) }),
      createWaking({ waker: scoreWaker(service), log: log(service) }),
    ],
    log(service),
  );

export const handler = serviceOnLambda(onChange);
