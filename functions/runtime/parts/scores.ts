import { randomUUID } from 'node:crypto';
import { createScoreWaker, type ScoreWaker } from '../../../shared/data/aws/score-waker.ts';
import { createScoreStore } from '../../../shared/data/scores/score-store.ts';
import { createWithdrawals } from '../../../shared/data/scores/withdrawals.ts';
import { clock, part, readIndex, storeDependencies, table } from '../compose.ts';

export const scores = /* @__PURE__ */ part((service) =>
  createScoreStore({
    ...storeDependencies(service),
    readIndex: readIndex(service),
    ackId: randomUUID,
    clock: clock(service),
  }),
);

export const scoreWaker = /* @__PURE__ */ part(({ config, overrides }): ScoreWaker => {
  if (overrides.scoreWaker !== undefined) return overrides.scoreWaker;
  const { scoreAdapterArn } = config;
  return scoreAdapterArn === undefined ? { wake: async () => undefined } : createScoreWaker(scoreAdapterArn);
});

export const withdrawals = /* @__PURE__ */ part((service) =>
  createWithdrawals({
    table: table(service),
    shards: service.config.shards,
    clock: clock(service),
  }),
);
