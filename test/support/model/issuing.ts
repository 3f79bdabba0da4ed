import fc from 'fast-check';
import { expect } from 'vitest';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { DAY } from '../../../shared/domain/duration.ts';
import { at, command, instance, person, project } from './command.ts';
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

export const issuing = fc.record({ project, instance, person }).map((a) =>
  command(`bootstrap ${JSON.stringify(a)}`, async (model, { instances, tenants }) => {
    const body = { key: at(tenants, a.project).publishableKey, userId: a.person };
    const reply = await at(instances, a.instance).call(bootstrap, { body });
    expect(reply.status).toBe(200);
    const { suppression, showTokens } = reply.body;
    expectIssued(model, a.project, a.person, { suppression, tokens: showTokens });
  }),
);

export const minting = fc
  .record({ project, instance, person, session: fc.constantFrom('s1', 's2') })
  .map((a) =>
    command(`mint ${JSON.stringify(a)}`, async (model, { instances, tenants }) => {
      const { secretKey } = at(tenants, a.project);
      const body = { respondentId: a.person, sessionId: a.session };
      const reply = await at(instances, a.instance).call(mintTokens, { secretKey, body });
      expect(reply.status).toBe(200);
      expectIssued(model, a.project, a.person, reply.body, { sessionId: a.session });
    }),
  );
