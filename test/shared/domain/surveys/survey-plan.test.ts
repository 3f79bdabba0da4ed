import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../../shared/domain/duration.ts';
import type { Survey } from '../../../../shared/domain/surveys/survey.ts';
import {
  applyUpdate,
  newSurvey,
  planSurveys,
  type SurveyDraft,
} from '../../../../shared/domain/surveys/survey-plan.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const NOW = Date.parse('2026-11-20T09:30:00.000Z');

const draftOf = ({ id: _, segments: __, retention: ___, ...draft }: Survey): SurveyDraft => draft;

describe('applying a survey file', () => {
  it('changes nothing if every survey is the same, in any order of fields', () => {
    const survey = aSurvey({}, { endLabels: { low: 'a', high: 'b' }, locales: { de: { question: 'F?' } } });
    const { locales, endLabels, ...rest } = survey.content;
    const content = { locales: { ...locales }, endLabels: { high: 'b', low: 'a' }, ...rest };
    const plan = planSurveys([survey], [{ ...draftOf(survey), content }], { prune: true });
    expect(plan).toEqual({ created: [], updated: [], unchanged: [survey], archived: [] });
  });

  it('names changed, added and removed fields', () => {
    const survey = aSurvey(
      { limits: { maxResponses: 5, quietPeriodMs: 1 }, startsAt: '2026-12-01T00:00:00.000Z' },
      { delayMs: 5 },
    );
    const { delayMs: _, ...content } = survey.content;
    const draft: SurveyDraft = {
      status: 'paused',
      limits: { maxResponses: 6, ignoreQuietPeriod: true },
      content: { ...content, question: 'New?', showBadge: true },
    };
    const { updated } = planSurveys([survey], [draft], { prune: false });
    expect(updated).toEqual([
      {
        before: survey,
        after: { id: survey.id, ...draft },
        changes: expect.arrayContaining([
          { field: 'status', before: 'active', after: 'paused' },
          { field: 'question', before: survey.content.question, after: 'New?' },
          { field: 'showBadge', before: undefined, after: true },
          { field: 'delayMs', before: 5, after: undefined },
          { field: 'startsAt', before: '2026-12-01T00:00:00.000Z', after: undefined },
          { field: 'limits.maxResponses', before: 5, after: 6 },
          { field: 'limits.quietPeriodMs', before: 1, after: undefined },
          { field: 'limits.ignoreQuietPeriod', before: undefined, after: true },
        ]),
      },
    ]);
    expect(updated[0]?.changes).toHaveLength(8);
  });

  it('archives missing surveys only when asked, and only once', () => {
    const [kept, gone, archived] = [aSurvey(), aSurvey({ status: 'draft' }), aSurvey({ status: 'archived' })];
    const existing = [kept, gone, archived];
    expect(planSurveys(existing, [draftOf(kept)], { prune: false }).archived).toEqual([]);
    const plan = planSurveys(existing, [draftOf(kept)], { prune: true });
    expect(plan.archived.map(({ after }) => after)).toEqual([{ ...gone, status: 'archived' }]);
  });

  it('restores an archived survey under its old id', () => {
    const survey = aSurvey({ status: 'archived' });
    const draft: SurveyDraft = { ...draftOf(survey), status: 'active' };
    const { created, updated } = planSurveys([survey], [draft], { prune: false });
    expect(created).toEqual([]);
    expect(updated).toMatchObject([{ after: { id: survey.id, status: 'active' } }]);
  });

  describe('segments', () => {
    const SINCE = '2026-11-20T09:31:00.000Z';
    const base = aSurvey();
    const made = newSurvey(base.id, { ...draftOf(base), segments: { plan: ['free', 'pro'] } }, NOW);

    function declare(survey: Survey, segments?: SurveyDraft['segments']) {
      const [update] = planSurveys([survey], [{ ...draftOf(survey), segments }], { prune: false }).updated;
      return { changes: update?.changes, after: update && applyUpdate(update, NOW) };
    }

    it('of a new survey count from its first answer', () => {
      expect(made.segments).toEqual([{ name: 'plan', values: [{ text: 'free' }, { text: 'pro' }] }]);
    });

    it('in another order are not a change', () => {
      expect(declare(made, { plan: ['pro', 'free'] })).toEqual({ changes: undefined, after: undefined });
    });

    it('count from a minute after they are added, and values keep their places', () => {
      const { changes, after } = declare(made, { plan: ['team', 'pro'], taskType: ['refund'] });
      expect(changes).toEqual([
        { field: 'segments.plan', before: ['free', 'pro'], after: ['pro', 'team'] },
        { field: 'segments.taskType', before: undefined, after: ['refund'] },
      ]);
      expect(after?.segments).toEqual([
        {
          name: 'plan',
          values: [{ text: 'free', retired: true }, { text: 'pro' }, { text: 'team', since: SINCE }],
        },
        { name: 'taskType', values: [{ text: 'refund' }], since: SINCE },
      ]);
    });

    it('are retired when the file omits them, and unchanged when it lists them again', () => {
      const { after } = declare(made);
      expect(after?.segments).toEqual([
        {
          name: 'plan',
          values: [
            { text: 'free', retired: true },
            { text: 'pro', retired: true },
          ],
          retired: true,
        },
      ]);
      expect(after && declare(after, { plan: ['free', 'pro'] }).after?.segments).toEqual(made.segments);
    });

    it('count from a minute later in a survey that had none', () => {
      expect(declare(base, { plan: ['pro'] }).after?.segments).toEqual([
        { name: 'plan', values: [{ text: 'pro' }], since: SINCE },
      ]);
    });
  });

  describe('retention', () => {
    const made = newSurvey('sv_kept', { ...draftOf(aSurvey()), retention: '13mo' }, NOW);
    const asked = (retention?: string) =>
      planSurveys([made], [{ ...draftOf(made), retention }], { prune: false });

    it('applies from the first answer', () => {
      expect(made.retention).toEqual({ entries: [{ from: new Date(NOW).toISOString(), period: '13mo' }] });
      expect(asked('13mo').unchanged).toEqual([made]);
    });

    it('waits two days if a change would delete answers', () => {
      const [update] = asked('35d').updated;
      expect(update?.changes).toEqual([{ field: 'retention', before: '13mo', after: '35d' }]);
      const after = update && applyUpdate(update, NOW);
      expect(after?.retention?.entries.at(-1)).toEqual({
        from: new Date(NOW + 48 * HOUR).toISOString(),
        period: '35d',
      });
      expect(
        after && planSurveys([after], [{ ...draftOf(after), retention: '35d' }], { prune: true }).unchanged,
      ).toEqual([after]);
    });

    it('falls back to the project’s if the file sets none', () => {
      const [update] = asked().updated;
      expect(update?.changes).toEqual([{ field: 'retention', before: '13mo', after: undefined }]);
      const entries = update && applyUpdate(update, NOW).retention?.entries;
      expect(entries?.map(({ period }) => period)).toEqual(['13mo', null]);
    });

    it('stays with a survey that the file no longer lists', () => {
      const [archived] = planSurveys([made], [], { prune: true }).archived;
      expect(archived && applyUpdate(archived, NOW).retention).toEqual(made.retention);
    });
  });
});
