import { randomUUID } from 'node:crypto';
import { createAnswerStore } from '../../../shared/data/answers/answer-store.ts';
import { createAnswerWalks } from '../../../shared/data/answers/answer-walk.ts';
import { createFoldRequests, createHistoryFolds } from '../../../shared/data/answers/history-folds.ts';
import { createImportStore } from '../../../shared/data/answers/import-store.ts';
import { createOccasions } from '../../../shared/data/answers/occasions.ts';
import { createRevisionStore } from '../../../shared/data/answers/revision-store.ts';
import { createShowStore } from '../../../shared/data/shows/show-store.ts';
import { part, readIndex, secrets, storeDependencies, table } from '../compose.ts';

export const answers = /* @__PURE__ */ part((service) =>
  createAnswerStore({
    ...storeDependencies(service),
    writeId: randomUUID,
    lookUpDeadlineMs: service.config.lookUpDeadlineMs,
  }),
);

export const revisions = /* @__PURE__ */ part((service) =>
  createRevisionStore({ ...storeDependencies(service), lookUpDeadlineMs: service.config.lookUpDeadlineMs }),
);

export const shows = /* @__PURE__ */ part((service) => createShowStore(storeDependencies(service)));

export const occasions = /* @__PURE__ */ part((service) => createOccasions(storeDependencies(service)));

export const walks = /* @__PURE__ */ part((service) =>
  createAnswerWalks({ ...storeDependencies(service), readIndex: readIndex(service) }),
);

export const imports = /* @__PURE__ */ part((service) => createImportStore(storeDependencies(service)));

export const folds = /* @__PURE__ */ part((service) =>
  createHistoryFolds(table(service), service.config.shards),
);

export const foldRequests = /* @__PURE__ */ part((service) =>
  createFoldRequests({
    table: table(service),
    secrets: secrets(service),
    deadlineMs: service.config.foldRequestDeadlineMs,
  }),
);
