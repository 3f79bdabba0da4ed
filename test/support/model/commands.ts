import fc from 'fast-check';
import { expect } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import { at, command, expectAmong, instance, person, project } from './command.ts';
import { carryingOut, closing, forgetSettings, purging, usingPurgedKeys } from './purges.ts';
import { racing, redeeming, revising } from './redeeming.ts';
import { acking, polling } from './scores.ts';
import { CAP, type Model } from './world.ts';

function eligible(model: Model, index: number, who: string): string[] {
  const { surveys, suppressed, times } = at(model.projects, index);
  const recent = (times.get(who) ?? []).filter((time) => model.now - time < 30 * DAY);
  if (index === 0 && recent.length >= CAP) return [];
  return surveys.filter((id) => !suppressed.get(who)?.has(id)).sort();
}

function expectIssued(
  model: Model,
  index: number,
  who: string,
  reply: { readonly suppression: string[]; readonly tokens: Record<string, string> },
  session: { readonly sessionId?: string } = {},
): void {
  const { surveys, suppressed, lifetime } = at(model.projects, index);
  const known = reply.suppression.filter((id) => surveys.includes(id));
  expect(known.sort()).toEqual(surveys.filter((id) => suppressed.get(who)?.has(id)).sort());
  expect(Object.keys(reply.tokens).sort()).toEqual(eligible(model, index, who));
  for (const [surveyId, text] of Object.entries(reply.tokens)) {
    const expiresAt = model.now + lifetime;
    model.tokens.push({ text, project: index, person: who, surveyId, expiresAt, ...session });
  }
}

const issuing = fc.record({ project, instance, person }).map((a) =>
  command(`bootstrap ${JSON.stringify(a)}`, async (model, { instances, tenants }) => {
    const body = { key: at(tenants, a.project).publishableKey, userId: a.person };
    const reply = await at(instances, a.instance).call(bootstrap, { body });
    expect(reply.status).toBe(200);
    const { suppression, showTokens } = reply.body;
    expectIssued(model, a.project, a.person, { suppression, tokens: showTokens });
  }),
);

const minting = fc.record({ project, instance, person, session: fc.constantFrom('s1', 's2') }).map((a) =>
  command(`mint ${JSON.stringify(a)}`, async (model, { instances, tenants }) => {
    const { secretKey } = at(tenants, a.project);
    const body = { respondentId: a.person, sessionId: a.session };
    const reply = await at(instances, a.instance).call(mintTokens, { secretKey, body });
    expect(reply.status).toBe(200);
    expectIssued(model, a.project, a.person, reply.body, { sessionId: a.session });
  }),
);

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();

const exporting = fc.record({ project, instance, person }).map((a) =>
  command(`export ${JSON.stringify(a)}`, async (model, { instances, tenants }) => {
    const { secretKey } = at(tenants, a.project);
    const query = { respondentId: a.person };
    const reply = await at(instances, a.instance).call(exportResponses, { secretKey, query });
    const { answers, suppressed, surveys } = at(model.projects, a.project);
    const own = answers.filter((answer) => answer.person === a.person);
    if (reply.status === 404) {
      expect(own).toEqual([]);
      expect(surveys.filter((id) => suppressed.get(a.person)?.has(id))).toEqual([]);
      return;
    }
    expect(idsOf(reply.body.responses)).toEqual(idsOf(own.filter((row) => row.kind === 'response')));
    expect(idsOf(reply.body.dismissals)).toEqual(idsOf(own.filter((row) => row.kind === 'dismissal')));
  }),
);

const exportingAll = fc.record({ project, instance }).map((a) =>
  command(`export all ${JSON.stringify(a)}`, async (model, { instances, tenants, index }) => {
    const { secretKey } = at(tenants, a.project);
    const stored = at(model.projects, a.project).answers.filter((row) => row.kind === 'response');
    const shown = async () =>
      idsOf((await at(instances, a.instance).call(exportResponses, { secretKey })).body.responses);
    expectAmong(await shown(), idsOf(stored));
    index.settle();
    expect(await shown()).toEqual(idsOf(stored));
  }),
);

const erasing = fc.record({ project, instance, person }).map((a) =>
  command(`erase ${JSON.stringify(a)}`, async (model, { instances, tenants }) => {
    const { secretKey } = at(tenants, a.project);
    const query = { respondentId: a.person };
    const reply = await at(instances, a.instance).call(erase, { secretKey, query });
    const owner = at(model.projects, a.project);
    const own = owner.answers.filter((answer) => answer.person === a.person);
    if (own.length > 0) expect(reply.status).toBe(200);
    if (reply.status === 200) {
      const deleted = reply.body.responsesDeleted + reply.body.dismissalsDeleted;
      expect(deleted).toBe(own.length);
    }
    owner.answers = owner.answers.filter((answer) => answer.person !== a.person);
  }),
);

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
