import fc from 'fast-check';
import { expect } from 'vitest';
import { ackScores } from '../../../functions/ack-scores.ts';
import { listPendingScores } from '../../../functions/list-pending-scores.ts';
import { MINUTE } from '../../../shared/domain/duration.ts';
import { at, command, expectAmong, instance, project } from './command.ts';
import type { Model, Real } from './world.ts';

interface Poll {
  readonly project: number;
  readonly instance: number;
  readonly includeFailed: boolean;
}

/** A poll returns only due scores, and none twice. A settled index returns all of them. */
async function expectDue(model: Model, { instances, tenants, index }: Real, poll: Poll): Promise<void> {
  const { secretKey } = at(tenants, poll.project);
  const query = { includeFailed: String(poll.includeFailed) };
  const due = at(model.projects, poll.project)
    .answers.filter(({ score }) => score === 'pending' || (poll.includeFailed && score === 'failed'))
    .map(({ id, revision }) => `${id} ${revision}`);
  const shown = async (): Promise<string[]> => {
    const reply = await at(instances, poll.instance).call(listPendingScores, { secretKey, query });
    const { scores } = reply.body;
    return scores.map(({ id, revision }: { id: string; revision: number }) => `${id} ${revision}`).sort();
  };
  expectAmong(await shown(), due);
  index.settle();
  expect(await shown()).toEqual(due.sort());
}

export const acking = fc
  .record({
    answer: fc.nat(),
    owner: project,
    abroad: fc.integer({ min: 0, max: 4 }).map((n) => n === 0),
    instance,
    delivered: fc.boolean(),
    named: fc.constantFrom('none', 'none', 'current', 'older'),
  })
  .map((a) =>
    command(
      `ack ${JSON.stringify(a)}`,
      async (model, real) => {
        const { instances, tenants } = real;
        const poll = { project: a.owner, instance: a.instance, includeFailed: false };
        await expectDue(model, real, poll);
        const { answers } = at(model.projects, a.owner);
        const scored = answers.filter(({ score }) => score !== undefined);
        const answer = at(scored.length > 0 ? scored : answers, a.answer);
        const state = a.delivered ? 'delivered' : 'failed';
        const { secretKey } = at(tenants, a.abroad ? a.owner + 1 : a.owner);
        const { id, revision: current, revisedAt = 0 } = answer;
        const revision = { none: undefined, current, older: Math.max(0, current - 1) }[a.named];
        const body = { results: [{ id, state, revision }] };
        const reply = await at(instances, a.instance).call(ackScores, { secretKey, body });
        const isOpen = answer.score === 'pending' || answer.score === 'failed';
        // An acknowledgement without a revision may refer to an older listing.
        const isSure = revision === undefined ? model.now >= revisedAt + 10 * MINUTE : revision === current;
        const changes = !a.abroad && isOpen && isSure;
        expect(reply.body).toEqual({ ok: true, updated: changes ? 1 : 0 });
        if (changes) answer.score = state;
        await expectDue(model, real, poll);
      },
      ({ projects }) => at(projects, a.owner).answers.length > 0,
    ),
  );

export const polling = fc
  .record({ project, instance, includeFailed: fc.boolean() })
  .map((a) => command(`poll ${JSON.stringify(a)}`, (model, real) => expectDue(model, real, a)));
