import { createPurgeStarter } from '../../../shared/data/aws/purge-starter.ts';
import { createErasureLog } from '../../../shared/data/privacy/erasure-log.ts';
import { createErasureStore } from '../../../shared/data/privacy/erasure-store.ts';
import { createExpiryProgress } from '../../../shared/data/privacy/expiry-progress.ts';
import { createExpirySweep } from '../../../shared/data/privacy/expiry-sweep.ts';
import { createPurgeSweep } from '../../../shared/data/privacy/purge-sweep.ts';
import { createPurgedDefinitions } from '../../../shared/data/privacy/purged-definitions.ts';
import { createPurgeRecords, createPurges } from '../../../shared/data/privacy/purges.ts';
import { realPause } from '../../../shared/data/table/retry.ts';
import { ERASURE_LOG } from '../../../shared/data/table/schema.ts';
import { createTable } from '../../../shared/data/table/table.ts';
import { ERASURE_ENVIRONMENT } from '../../../shared/settings/environment.ts';
import { client, clock, indexDependencies, part, table } from '../compose.ts';
import { requiredSetting } from '../service-config.ts';
import { folds } from './answers.ts';
import { withdrawals } from './scores.ts';

export const erasureLog = /* @__PURE__ */ part((service) => {
  const name = requiredSetting(service.config.erasureLogTableName, ERASURE_ENVIRONMENT.erasureLogTableName);
  return createErasureLog(createTable(client(service), { name, keys: ERASURE_LOG }));
});

export const erasures = /* @__PURE__ */ part((service) =>
  createErasureStore({
    table: table(service),
    shards: service.config.shards,
    log: erasureLog(service),
    withdrawals: withdrawals(service),
  }),
);

export const purgeRecords = /* @__PURE__ */ part((service) => createPurgeRecords(table(service)));

export const purgedDefinitions = /* @__PURE__ */ part((service) => createPurgedDefinitions(table(service)));

export const purgeSweep = /* @__PURE__ */ part((service) =>
  createPurgeSweep({ ...indexDependencies(service), withdrawals: withdrawals(service) }),
);

export const expiryProgress = /* @__PURE__ */ part((service) => createExpiryProgress(table(service)));

export const expirySweep = /* @__PURE__ */ part((service) =>
  createExpirySweep({
    ...indexDependencies(service),
    progress: expiryProgress(service),
    folds: folds(service),
    withdrawals: withdrawals(service),
    clock: clock(service),
    pause: service.overrides.pause ?? realPause,
  }),
);

export const purges = /* @__PURE__ */ part((service) => {
  const { config, overrides } = service;
  const starter =
    overrides.purgeStarter ??
    createPurgeStarter(
      requiredSetting(config.purgeStateMachineArn, ERASURE_ENVIRONMENT.purgeStateMachineArn),
    );
  return createPurges({
    starter,
    log: erasureLog(service),
    records: purgeRecords(service),
    definitions: purgedDefinitions(service),
    sweep: purgeSweep(service),
  });
});
