import { describe, expect, it } from 'vitest';
import type { Survey } from '../../../shared/domain/survey.ts';
import { planSurveys, type SurveyDraft } from '../../../shared/domain/survey-plan.ts';
import { aSurvey } from '../../support/builders.ts';

const draftOf = ({ id: _, ...draft }: Survey): SurveyDraft => draft;

describe('what applying a file changes', () => {
  it('nothing, when every survey is as it is, in whatever order its fields lie', () => {
    const survey = aSurvey({}, { endLabels: { low: 'a', high: 'b' }, locales: { de: { question: 'F?' } } });
    const { locales, endLabels, ...rest } = survey.content;
    const content = { locales: { ...locales }, endLabels: { high: 'b', low: 'a' }, ...rest };
    const plan = planSurveys([survey], [{ ...draftOf(survey), content }], { prune: true });
    expect(plan).toEqual({ created: [], updated: [], unchanged: [survey], archived: [] });
  });

  it('names the fields that change, those that come and those that go', () => {
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

  it('archives what the file lacks only when told to, and only once', () => {
    const [kept, gone, archived] = [aSurvey(), aSurvey({ status: 'draft' }), aSurvey({ status: 'archived' })];
    const existing = [kept, gone, archived];
    expect(planSurveys(existing, [draftOf(kept)], { prune: false }).archived).toEqual([]);
    const plan = planSurveys(existing, [draftOf(kept)], { prune: true });
    expect(plan.archived.map(({ after }) => after)).toEqual([{ ...gone, status: 'archived' }]);
  });

  it('an archived survey comes back under its old id', () => {
    const survey = aSurvey({ status: 'archived' });
    const draft: SurveyDraft = { ...draftOf(survey), status: 'active' };
    const { created, updated } = planSurveys([survey], [draft], { prune: false });
    expect(created).toEqual([]);
    expect(updated).toMatchObject([{ after: { id: survey.id, status: 'active' } }]);
  });
});
