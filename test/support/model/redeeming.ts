import fc from 'fast-check';
import { expect } from 'vitest';
import { reviseResponse } from '../../../functions/revise-response.ts';
import { submitDismissal } from '../../../functions/submit-dismissal.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import type { Reply, Tenant, TestService } from '../service/test-service.ts';
import { at, command, hasTokens, instance, outcomeOf } from './command.ts';
import type { Model, ModelToken } from './world.ts';

export interface Redemption {
  readonly token: ModelToken;
  readonly kind: 'response' | 'dismissal';
  readonly by: number;
  readonly sessionId: string | undefined;
}

export function redeem(
  service: TestService,
  { publishableKey: key }: Tenant,
  use: Redemption,
): Promise<Reply> {
  const { token, kind, sessionId } = use;
  const base = { key, surveyId: token.surveyId, showToken: token.text, userId: token.person };
  const body = { ...base, ...(sessionId !== undefined && { sessionId }) };
  if (kind === 'dismissal') return service.call(submitDismissal, { body });
  return service.call(submitResponse, { body: { ...body, rating: 7 } });
}

function foreseen(model: Model, { token, kind, by, sessionId }: Redemption): string {
  const { surveys } = at(model.projects, by);
  if (by !== token.project || !surveys.includes(token.surveyId)) return '404 survey_not_found';
  if (model.now >= token.expiresAt) return '401 token_expired';
  if (token.sessionId !== undefined && token.sessionId !== sessionId) return '401 token_mismatch';
  if (token.usedBy !== undefined) return kind === 'response' ? '409 token_used' : '401 token_used';
  return '201';
}

function noteUse(
  model: Model,
  { token, kind }: Redemption,
  { id, at: moment }: { id: string; at: string },
): void {
  const owner = at(model.projects, token.project);
  token.usedBy = { id, at: moment, kind };
  owner.answers.push({
    id,
    at: moment,
    kind,
    surveyId: token.surveyId,
    person: token.person,
    token,
    revision: 0,
    ...(kind === 'response' && token.sessionId !== undefined && { score: 'pending' as const }),
  });
  owner.suppressed.get(token.person)?.add(token.surveyId);
  owner.times.get(token.person)?.push(model.now);
}

function expectRedeemed(model: Model, use: Redemption, reply: Reply): void {
  expect(outcomeOf(reply)).toBe(foreseen(model, use));
  if (reply.status === 201) noteUse(model, use, reply.body);
  else if (reply.body.error.code === 'token_used') expect(reply.body.error.details).toEqual(use.token.usedBy);
}

const kind = fc.constantFrom('response' as const, 'dismissal' as const);

export const redeeming = fc
  .record({
    token: fc.nat(),
    kind,
    instance,
    abroad: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    session: fc.constantFrom('own', 'own', 'own', 'own', 'none', 'wrong'),
  })
  .map((a) =>
    command(
      `redeem ${JSON.stringify(a)}`,
      async (model, { instances, tenants }) => {
        const token = at(model.tokens, a.token);
        const by = a.abroad ? 1 - token.project : token.project;
        const sessionId = { own: token.sessionId, none: undefined, wrong: 'another' }[a.session];
        const use: Redemption = { token, kind: a.kind, by, sessionId };
        expectRedeemed(model, use, await redeem(at(instances, a.instance), at(tenants, by), use));
      },
      hasTokens,
    ),
  );

export const revising = fc.record({ token: fc.nat(), instance, rating: fc.nat({ max: 10 }) }).map((a) =>
  command(
    `revise ${JSON.stringify(a)}`,
    async (model, { instances, tenants }) => {
      const used = model.tokens.filter(({ usedBy }) => usedBy?.kind === 'response');
      const token = at(used, a.token);
      const { surveys, answers } = at(model.projects, token.project);
      const answer = answers.find((each) => each.token === token);
      const { publishableKey: key } = at(tenants, token.project);
      const { surveyId, text: showToken, sessionId } = token;
      const revision = (answer?.revision ?? 0) + 1;
      const body = { key, surveyId, showToken, sessionId, revision, rating: a.rating };
      const outcome = outcomeOf(await at(instances, a.instance).call(reviseResponse, { body }));
      if (!surveys.includes(surveyId)) expect(outcome).toBe('404 survey_not_found');
      else if (model.now >= token.expiresAt) expect(outcome).toBe('401 token_expired');
      else if (answer === undefined) expect(outcome).toBe('404 response_not_found');
      else {
        expect(outcome).toBe('200');
        Object.assign(answer, { revision, revisedAt: model.now });
        if (answer.score !== undefined) answer.score = 'pending';
      }
    },
    ({ tokens }) => tokens.some(({ usedBy }) => usedBy?.kind === 'response'),
  ),
);

export const racing = fc
  .record({ token: fc.nat(), kinds: fc.array(kind, { minLength: 2, maxLength: 5 }) })
  .map((a) =>
    command(
      `race ${JSON.stringify(a)}`,
      async (model, { instances, tenants }) => {
        const token = at(model.tokens, a.token);
        const uses = a.kinds.map((each) => ({
          token,
          kind: each,
          by: token.project,
          sessionId: token.sessionId,
        }));
        const replies = await Promise.all(
          uses.map((use, index) => redeem(at(instances, index), at(tenants, token.project), use)),
        );
        const pairs = uses.map((use, index) => ({ use, reply: at(replies, index) }));
        const winners = pairs.filter(({ reply }) => reply.status === 201);
        const isFree = uses.some((use) => foreseen(model, use) === '201');
        expect(winners).toHaveLength(isFree ? 1 : 0);
        for (const { use, reply } of winners) noteUse(model, use, reply.body);
        for (const { use, reply } of pairs) if (reply.status !== 201) expectRedeemed(model, use, reply);
      },
      hasTokens,
    ),
  );
