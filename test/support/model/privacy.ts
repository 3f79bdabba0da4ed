import fc from 'fast-check';
import { expect } from 'vitest';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { at, command, expectAmong, instance, person, project } from './command.ts';

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id).sort();

export const exporting = fc.record({ project, instance, person }).map((a) =>
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

export const exportingAll = fc.record({ project, instance }).map((a) =>
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

export const erasing = fc.record({ project, instance, person }).map((a) =>
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
