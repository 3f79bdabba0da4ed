import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { erase } from '../../functions/erase.ts';
import { handleContact } from '../../functions/handle-contact.ts';
import { listContacts } from '../../functions/list-contacts.ts';
import { onChange } from '../../functions/on-change.ts';
import { contactSweep } from '../../functions/runtime/parts/contacts.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { aStep } from '../support/a-step.ts';
import { histories } from '../support/depth.ts';
import { openTestStream } from '../support/events/test-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { NO_LIMITS } from '../support/fixtures/linked-answer.ts';
import { aLinkedAnswer, anAnswer, type Given, revise, SESSION } from '../support/fixtures/revising.ts';
import { scanAll } from '../support/scan-all.ts';
import { createPurgeService } from '../support/service/purge-service.ts';
import { startRecount } from '../support/service/stepped-recount.ts';
import type { Tenant } from '../support/service/test-service.ts';

const wish = fc.constantFrom(undefined, true, false);
const nth = fc.nat();
const survey = fc.nat({ max: 1 });
const again = fc.boolean();

const step = fc.oneof(
  aStep(4, 'answer', { survey, wish, isLinked: fc.boolean() }),
  aStep(5, 'revise', { nth, wish, again }),
  aStep(2, 'withdraw', { nth, again }),
  aStep(6, 'handle', { nth, handled: fc.boolean(), note: fc.constantFrom(undefined, 'called', ''), again }),
  aStep(1, 'erase', { nth }),
  aStep(1, 'purge', { survey }),
  aStep(1, 'deliver', { again }),
  aStep(1, 'sweep', {}),
  aStep(1, 'recount', {}),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Known extends Given {
  readonly tenant: Tenant;
  readonly isLinked: boolean;
  revision: number;
  asks: boolean;
  handled: boolean;
  isThere: boolean;
}

const purging = await createPurgeService();
const { service } = purging;
const stream = openTestStream(service.table);
afterAll(() => stream.close());

class History {
  readonly #known: Known[] = [];
  readonly #tenant: Tenant;
  readonly #purged = new Set<string>();

  constructor(tenant: Tenant) {
    this.#tenant = tenant;
  }

  #pick(number: number): Known | undefined {
    return this.#known[number % (this.#known.length || 1)];
  }

  async #purge(survey: Survey | undefined): Promise<void> {
    if (survey === undefined || this.#purged.has(survey.id)) return;
    this.#purged.add(survey.id);
    const query = { surveySlug: survey.content.slug };
    await service.call(erase, { secretKey: this.#tenant.secretKey, query });
    await purging.carryOut();
    const answered = this.#known.filter(({ tenant: { surveys } }) => surveys[0]?.id === survey.id);
    for (const known of answered) Object.assign(known, { isThere: false, asks: false });
  }

  async take(step: Step): Promise<void> {
    const { secretKey, project, surveys } = this.#tenant;
    if (step.do === 'answer') {
      const asked = surveys[step.survey];
      if (asked === undefined || this.#purged.has(asked.id)) return;
      const give = step.isLinked ? aLinkedAnswer : anAnswer;
      const tenant = { ...this.#tenant, surveys: [asked] };
      const given = await give({ service, tenant }, { followUpRequested: step.wish });
      const state = { revision: 0, asks: step.wish === true, handled: false, isThere: true };
      this.#known.push({ ...given, ...state, tenant, isLinked: step.isLinked });
      return;
    }
    if (step.do === 'purge') return this.#purge(surveys[step.survey]);
    if (step.do === 'deliver') {
      const Records = await stream.read();
      for (let time = 0; time < (step.again ? 2 : 1); time += 1)
        await onChange(service.service)({ Records: structuredClone(Records) });
      return;
    }
    if (step.do === 'sweep') {
      const swept = await contactSweep(service.service).sweep(project.id, { now: service.clock.now });
      expect(swept.changed).toBe(0);
      return;
    }
    if (step.do === 'recount') {
      const ended = await startRecount(service, ['--all', '--project', project.id]).end();
      expect(ended).toMatchObject({ status: 0 });
      return;
    }
    const known = this.#pick(step.nth);
    if (known === undefined) return;
    const caller = { service, tenant: known.tenant };
    const times = 'again' in step && step.again ? 2 : 1;
    const send = <T>(call: () => Promise<T>) => Promise.all(Array.from({ length: times }, call));
    if (step.do === 'erase') {
      await service.call(erase, { secretKey, query: { respondentId: known.respondentId } });
      Object.assign(known, { isThere: false, asks: false });
      return;
    }
    if (step.do === 'handle') {
      const { handled, note } = step;
      const body = { id: known.id, handled, note };
      const replies = await send(() => service.call(handleContact, { secretKey, body }));
      expect(replies.map(({ status }) => status)).toEqual(replies.map(() => (known.asks ? 200 : 404)));
      if (known.asks) known.handled = handled;
      return;
    }
    const change = step.do === 'withdraw' ? { withdraw: true } : { rating: 5, followUpRequested: step.wish };
    const fields = { revision: known.revision + 1, ...change, ...(known.isLinked && SESSION) };
    const replies = await send(() => revise(caller, known.showToken, fields));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => (known.isThere ? 200 : 404)));
    if (!known.isThere) return;
    const asks = step.do === 'revise' && step.wish === true;
    Object.assign(known, { revision: fields.revision, asks, handled: false });
  }

  async check(): Promise<void> {
    const { secretKey, project } = this.#tenant;
    for (const state of ['open', 'handled', 'all']) {
      const isListed = ({ asks, handled }: Known) =>
        asks && (state === 'all' || handled === (state === 'handled'));
      const expected = this.#known.filter(isListed).map(({ id, at }) => ({ id, at }));
      const { body } = await service.call(listContacts, { secretKey, query: { state, limit: '100' } });
      const listed = body.contacts.map(({ id, at }: Given) => ({ id, at }));
      const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
      expect(listed.toSorted(byId)).toEqual(expected.toSorted(byId));
    }
    const rows = await scanAll(service.table, project.id);
    const asking = rows.filter(
      ({ type, followUpRequested, withdrawn }) => type === 'response' && followUpRequested && !withdrawn,
    );
    const indexed = rows.filter(({ contactShard, contactOrder }) => contactShard ?? contactOrder);
    expect(indexed).toEqual(asking);
    expect(asking).toHaveLength(this.#known.filter(({ asks }) => asks).length);
  }
}

it('people who asked to be contacted match the history of answers, whatever happened to them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const surveys = [aSurvey(), aSurvey()];
      const history = new History(await service.tenant({ limits: NO_LIMITS }, surveys));
      for (const each of steps) {
        await history.take(each);
        service.clock.advance(10);
      }
      await history.check();
    }),
    { numRuns: histories(8) },
  );
});
