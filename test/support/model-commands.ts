/** What clients and operators do, each as a command that changes the model and holds the service against it. */

import fc from 'fast-check';
import { expect } from 'vitest';
import { ackScores } from '../../functions/ack-scores.ts';
import { bootstrap } from '../../functions/bootstrap.ts';
import { erase } from '../../functions/erase.ts';
import { exportResponses } from '../../functions/export-responses.ts';
import { listPendingScores } from '../../functions/list-pending-scores.ts';
import { mintTokens } from '../../functions/mint-tokens.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import { DAY, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import { CAP, type Model, type ModelToken, PEOPLE, type Real, SURVEYS_EACH } from './model-world.ts';
import type { Reply, Tenant, TestService } from './test-service.ts';

type Command = fc.AsyncCommand<Model, Real>;
type Run = (model: Model, real: Real) => Promise<void>;

const command = (
  name: string,
  run: Run,
  check: (model: Readonly<Model>) => boolean = () => true,
): Command => ({
  check,
  run,
  toString: () => name,
});

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new RangeError('nothing to choose from');
  return item;
}

const project = fc.nat({ max: 1 });
const instance = fc.nat({ max: 1 });
const person = fc.constantFrom(...PEOPLE);
const hasTokens = ({ tokens }: Readonly<Model>) => tokens.length > 0;

/** Surveys for which tokens are due, or none of them where the cap is reached. */
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
  const { surveys, suppressed } = at(model.projects, index);
  const known = reply.suppression.filter((id) => surveys.includes(id));
  expect(known.sort()).toEqual(surveys.filter((id) => suppressed.get(who)?.has(id)).sort());
  expect(Object.keys(reply.tokens).sort()).toEqual(eligible(model, index, who));
  const lifetime = index === 0 ? 60 * MINUTE : DAY;
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

interface Redemption {
  readonly token: ModelToken;
  readonly kind: 'response' | 'dismissal';
  readonly by: number;
  readonly sessionId: string | undefined;
}

function redeem(service: TestService, { publishableKey: key }: Tenant, use: Redemption): Promise<Reply> {
  const { token, kind, sessionId } = use;
  const base = { key, surveyId: token.surveyId, showToken: token.text, userId: token.person };
  const body = { ...base, ...(sessionId !== undefined && { sessionId }) };
  if (kind === 'dismissal') return service.call(submitDismissal, { body });
  return service.call(submitResponse, { body: { ...body, rating: 7 } });
}

/** Status and code that the model foresees, before the token's use is noted. */
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
    ...(kind === 'response' && token.sessionId !== undefined && { score: 'pending' as const }),
  });
  owner.suppressed.get(token.person)?.add(token.surveyId);
  owner.times.get(token.person)?.push(model.now);
}

const outcomeOf = ({ status, body }: Reply): string =>
  body.error === undefined ? String(status) : `${status} ${body.error.code}`;

function expectRedeemed(model: Model, use: Redemption, reply: Reply): void {
  expect(outcomeOf(reply)).toBe(foreseen(model, use));
  if (reply.status === 201) noteUse(model, use, reply.body);
  else if (reply.body.error.code === 'token_used') expect(reply.body.error.details).toEqual(use.token.usedBy);
}

const kind = fc.constantFrom('response' as const, 'dismissal' as const);

const redeeming = fc
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

/** Several clients at once with one token: one of them wins, and the others are told of it. */
const racing = fc
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

const acking = fc
  .record({ answer: fc.nat(), owner: project, by: project, instance, delivered: fc.boolean() })
  .map((a) =>
    command(
      `ack ${JSON.stringify(a)}`,
      async (model, { instances, tenants }) => {
        const answer = at(at(model.projects, a.owner).answers, a.answer);
        const state = a.delivered ? 'delivered' : 'failed';
        const { secretKey } = at(tenants, a.by);
        const body = { results: [{ id: answer.id, state }] };
        const reply = await at(instances, a.instance).call(ackScores, { secretKey, body });
        const isOpen = answer.score === 'pending' || answer.score === 'failed';
        const changes = a.by === a.owner && isOpen;
        expect(reply.body).toEqual({ ok: true, updated: changes ? 1 : 0 });
        if (changes) answer.score = state;
      },
      ({ projects }) => at(projects, a.owner).answers.length > 0,
    ),
  );

const polling = fc.record({ project, instance, includeFailed: fc.boolean() }).map((a) =>
  command(`poll ${JSON.stringify(a)}`, async (model, { instances, tenants }) => {
    const { secretKey } = at(tenants, a.project);
    const query = { includeFailed: String(a.includeFailed) };
    const reply = await at(instances, a.instance).call(listPendingScores, { secretKey, query });
    const due = at(model.projects, a.project).answers.filter(
      ({ score }) => score === 'pending' || (a.includeFailed && score === 'failed'),
    );
    const shown = reply.body.scores.map(({ id }: { id: string }) => id).sort();
    expect(shown).toEqual(due.map(({ id }) => id).sort());
  }),
);

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
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
    expect(idsOf(reply.body.responses)).toEqual(idsOf(own.filter((row) => row.kind === 'response')));
    expect(idsOf(reply.body.dismissals)).toEqual(idsOf(own.filter((row) => row.kind === 'dismissal')));
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

/** A survey goes, in the project that has no cap; what other instances still remember passes within 30 s. */
const purging = fc.record({ survey: fc.nat({ max: SURVEYS_EACH - 1 }), instance }).map((a) =>
  command(
    `purge ${JSON.stringify(a)}`,
    async (model, { instances, tenants, clock }) => {
      const tenant = at(tenants, 1);
      const owner = at(model.projects, 1);
      const surveyId = at(owner.surveys, a.survey);
      const slug = tenant.surveys.find(({ id }) => id === surveyId)?.content.slug ?? '';
      const request = { secretKey: tenant.secretKey, query: { surveySlug: slug } };
      const reply = await at(instances, a.instance).call(erase, request);
      expect(outcomeOf(reply)).toBe('200');
      owner.surveys = owner.surveys.filter((id) => id !== surveyId);
      owner.answers = owner.answers.filter((answer) => answer.surveyId !== surveyId);
      clock.advance(31 * SECOND);
      model.now = clock.now();
    },
    ({ projects }) => at(projects, 1).surveys.length > 1,
  ),
);

const waiting = fc.constantFrom(SECOND, 6 * MINUTE, 11 * MINUTE, 61 * MINUTE, 12 * 60 * MINUTE).map((time) =>
  command(`wait ${time / SECOND} s`, async (model, { clock }) => {
    clock.advance(time);
    model.now = clock.now();
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
  acking,
  polling,
  exporting,
  erasing,
  purging,
  waiting,
  rotating,
];
