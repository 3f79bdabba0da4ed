import { createDraftStore } from '../../../shared/data/projects/draft-store.ts';
import { createKeyUse, createKeyUseStore } from '../../../shared/data/projects/key-use-store.ts';
import {
  createIdentitySecretStore,
  createProjectStore,
} from '../../../shared/data/projects/project-store.ts';
import { createSurveyStore } from '../../../shared/data/projects/survey-store.ts';
import { log, part, readIndex, table } from '../compose.ts';

export const projects = /* @__PURE__ */ part((service) =>
  createProjectStore(table(service), readIndex(service)),
);

export const drafts = /* @__PURE__ */ part((service) => createDraftStore(table(service)));

export const surveys = /* @__PURE__ */ part((service) => createSurveyStore(table(service)));

export const keyUseStore = /* @__PURE__ */ part((service) =>
  createKeyUseStore(table(service), service.config.keyUseDeadlineMs),
);

export const keyUse = /* @__PURE__ */ part((service) => createKeyUse(keyUseStore(service), log(service)));

export const identitySecrets = /* @__PURE__ */ part((service) => createIdentitySecretStore(table(service)));
