import fc from 'fast-check';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { at, command, project } from './command.ts';
import { issuing, minting } from './issuing.ts';
import { erasing, exporting, exportingAll } from './privacy.ts';
import { carryingOut, closing, forgetSettings, purging, usingPurgedKeys } from './purges.ts';
import { racing, redeeming, revising } from './redeeming.ts';
import { acking, polling } from './scores.ts';

const waiting = fc
  .constantFrom(SECOND, 6 * MINUTE, 11 * MINUTE, 61 * MINUTE, 12 * HOUR, 2 * DAY)
  .map((time) =>
    command(`wait ${time / SECOND} s`, async (model, { clock }) => {
      clock.advance(time);
      model.now = clock.now();
    }),
  );

/** Issued tokens keep their lifetime. */
const changingLifetime = fc.record({ project, lifetime: fc.constantFrom(HOUR, DAY, 3 * DAY) }).map((a) =>
  command(`lifetime ${JSON.stringify(a)}`, async (model, real) => {
    const { service } = at(real.instances, 0);
    const { id } = at(real.tenants, a.project).project;
    await projects(service).updateProject(id, { tokenLifetimeMs: a.lifetime });
    at(model.projects, a.project).lifetime = a.lifetime;
    forgetSettings(model, real);
  }),
);

const rotating = fc.constant(command('rotate', async (_model, { rotate }) => rotate()));

export const COMMANDS = [
  issuing,
  issuing,
  minting,
  minting,
  redeeming,
  redeeming,
  redeeming,
  racing,
  revising,
  revising,
  acking,
  acking,
  polling,
  polling,
  exporting,
  exportingAll,
  erasing,
  purging,
  closing,
  carryingOut,
  usingPurgedKeys,
  waiting,
  changingLifetime,
  rotating,
];
