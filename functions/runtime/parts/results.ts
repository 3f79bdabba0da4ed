import { createSettingsLoader } from '../../../shared/data/projects/project-record.ts';
import { createCommentWalk } from '../../../shared/data/results/comment-walk.ts';
import { createCountStore } from '../../../shared/data/results/count-store.ts';
import { createRecounts } from '../../../shared/data/results/recounts.ts';
import { createResultStore } from '../../../shared/data/results/result-store.ts';
import { createSurveyCountings } from '../../../shared/data/results/survey-counting.ts';
import { clock, indexDependencies, part, table } from '../compose.ts';
import { projectSettings } from '../settings-cache.ts';

export const counts = /* @__PURE__ */ part((service) =>
  createCountStore({ table: table(service), clock: clock(service) }),
);

export const surveyCountings = /* @__PURE__ */ part((service) => {
  const { load, forget } = projectSettings(service);
  return createSurveyCountings({ load, forget, read: createSettingsLoader(table(service)) });
});

export const results = /* @__PURE__ */ part((service) => createResultStore(table(service)));

export const recounts = /* @__PURE__ */ part((service) =>
  createRecounts({ ...indexDependencies(service), clock: clock(service) }),
);

export const comments = /* @__PURE__ */ part((service) => createCommentWalk(indexDependencies(service)));
