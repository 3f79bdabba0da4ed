import { describe, expect, it } from 'vitest';
import { surveyOfFile } from '../../../../shared/contract/survey-file.ts';
import { readSurvey, surveyItem } from '../../../../shared/data/projects/project-item.ts';
import { chooseAnswers, knowsAnswers } from '../../../../shared/domain/surveys/questions.ts';
import type { Survey, SurveyQuestion } from '../../../../shared/domain/surveys/survey.ts';
import { applyUpdate, newSurvey } from '../../../../shared/domain/surveys/survey-plan.ts';
import { brokenRules } from '../../../../shared/domain/surveys/survey-rules.ts';
import { aSurvey } from '../../../support/fixtures/builders.ts';

const DAY_1 = Date.parse('2026-11-20T09:30:00Z');
const DAY_2 = Date.parse('2026-11-21T09:30:00Z');
const choice = (code: string, label = code) => ({ code, label });
const many = (...codes: string[]) => codes.map((code) => choice(code));
const use: SurveyQuestion = {
  id: 'use',
  kind: 'many',
  text: 'What for?',
  choices: many('reports', 'alerts', 'tests'),
};
const role: SurveyQuestion = {
  ...{ id: 'role', kind: 'one', text: 'Your role?' },
  ...{ choices: many('dev', 'other'), ratings: [9, 10] },
};
const effort: SurveyQuestion = { id: 'effort', kind: 'scale', text: 'How easy?', min: 1, max: 7 };
const more: SurveyQuestion = { id: 'more', kind: 'text', text: 'Anything else?' };

const asking = (...questions: SurveyQuestion[]) => aSurvey({}, { slug: 'recommend', type: 'nps', questions });
const created = ({ id, content, status }: Survey) => newSurvey(id, { content, status, limits: {} }, DAY_1);
const updateOf = (before: Survey, { content }: Survey) => ({
  ...{ before, changes: [] },
  after: { id: before.id, limits: {}, status: 'active' as const, content },
});
const changed = (before: Survey, after: Survey) => applyUpdate(updateOf(before, after), DAY_2);
const survey = created(asking(use, role, more));

describe('the answers of a person', () => {
  const notReached = { use: undefined, role: undefined, more: undefined };

  it.each<[string, Record<string, unknown> | undefined, Record<string, unknown>, string[]]>([
    [
      'are stored by id',
      { use: ['alerts', 'reports'], role: 'dev', more: 'No' },
      { use: ['reports', 'alerts'], role: 'dev', more: 'No' },
      [],
    ],
    ['keep what was seen and skipped', { use: null, role: 'dev' }, { use: null, role: 'dev' }, []],
    ['of nobody are not reached', undefined, {}, []],
    ['may be an empty list, which is a skip', { use: [] }, { use: null }, []],
    ['may be an empty text, which is a skip', { more: '  ' }, { more: null }, []],
    ['have each code once', { use: ['alerts', 'alerts'] }, { use: ['alerts'] }, []],
    [
      'lose an unknown code of a list',
      { use: ['alerts', 'x', 3] },
      { use: ['alerts'] },
      ['answers.use.1', 'answers.use.2'],
    ],
    ['lose a list of unknown codes', { use: ['x'] }, {}, ['answers.use.0']],
    [
      'lose codes beyond the eighth',
      { use: [...Array(8).fill('alerts'), 'tests'] },
      { use: ['alerts'] },
      ['answers.use'],
    ],
    ['lose an unknown code', { role: 'x' }, {}, ['answers.role']],
    ['lose a string for several codes', { use: 'alerts' }, {}, ['answers.use']],
    ['lose a list for one code', { role: ['dev'] }, {}, ['answers.role']],
    ['lose a number for a text', { more: 5 }, {}, ['answers.more']],
    ['lose a map', { more: { toString: 'x' } }, {}, ['answers.more']],
    ['lose an unknown id', { nope: 'x' }, {}, ['answers.nope']],
    ['lose a key of Object’s prototype', { constructor: 'x' }, {}, ['answers.constructor']],
    ['do not return an id that no question can have', { ['ä'.repeat(9_000)]: 'x' }, {}, ['answers']],
    [
      'are cut after 1,000 characters',
      { more: '🙂'.repeat(1_001) },
      { more: '🙂'.repeat(1_000) },
      ['answers.more'],
    ],
    [
      'are looked at up to the sixth',
      { a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, use: ['alerts'] },
      {},
      [...'abcdef'].map((id) => `answers.${id}`).concat('answers'),
    ],
  ])('%s', (_, sent, stored, dropped) => {
    const chosen = chooseAnswers(survey, 9, sent);
    const given = Object.fromEntries(chosen.answers?.map(({ id, value }) => [id, value]) ?? []);
    expect(given).toEqual({ ...notReached, ...stored });
    expect(chosen.dropped).toEqual(dropped);
  });

  it.each([1, 7])('are numbers of the scale, from 1 to 7: %d', (value) => {
    const answers = [{ id: 'effort', place: 0, kind: 'scale', value }];
    expect(chooseAnswers(asking(effort), 9, { effort: value })).toEqual({ answers, dropped: [] });
  });

  it.each([0, 8, 1.5, '3', true, [3]])('are never converted to a number of the scale: %j', (value) => {
    expect(chooseAnswers(asking(effort), 9, { effort: value }).dropped).toEqual(['answers.effort']);
  });

  it('to a question that the rating does not ask are dropped', () => {
    const { answers, dropped } = chooseAnswers(survey, 3, { role: 'dev', use: ['alerts'] });
    expect(answers?.map(({ id }) => id)).toEqual(['use', 'more']);
    expect(dropped).toEqual(['answers.role']);
  });

  it('to questions and codes that are no longer listed are kept, because the page may be older', () => {
    const later = changed(survey, asking({ ...use, choices: many('alerts', 'tests') }, more));
    const sent = { use: ['reports'], role: 'dev' };
    const { answers, dropped } = chooseAnswers(later, 9, sent);
    expect(dropped).toEqual([]);
    expect(answers).toEqual([
      { id: 'use', place: 0, kind: 'many', value: ['reports'], codes: [0] },
      { id: 'role', place: 1, kind: 'one', value: 'dev', codes: [0] },
      { id: 'more', place: 2, kind: 'text' },
    ]);
    expect(chooseAnswers(later, 9, {}).answers?.map(({ id }) => id)).toEqual(['use', 'more']);
  });

  it('have one text at most, the listed one before removed ones', () => {
    const later = changed(survey, asking(use, { ...more, id: 'next' }));
    const given = (sent: object) => chooseAnswers(later, 9, { ...sent }).dropped;
    expect(given({ more: 'a', next: 'b' })).toEqual(['answers.more']);
    expect(given({ more: 'a', next: null })).toEqual([]);
  });

  it('that this version does not know may belong to a newer one', () => {
    const known = [{ use: ['alerts'] }, { role: null }, {}, undefined, { more: 'x'.repeat(1_001) }];
    expect(knowsAnswers(survey, 3, { role: 'dev' })).toBe(false);
    const unknown = [{ use: ['new'] }, { role: 'new' }, { next: 1 }];
    expect([...known, ...unknown].map((sent) => knowsAnswers(survey, 9, sent))).toEqual([
      ...known.map(() => true),
      ...unknown.map(() => false),
    ]);
  });
});

describe('a question that changes', () => {
  it('keeps its place and the places of its codes', () => {
    const later = changed(survey, asking({ ...use, choices: many('new', 'alerts') }, effort));
    const places = later.questionsEver?.map(({ id, choices }) => [id, choices?.map(({ code }) => code)]);
    expect(places).toEqual([
      ['use', ['reports', 'alerts', 'tests', 'new']],
      ['role', ['dev', 'other']],
      ['more', undefined],
      ['effort', undefined],
    ]);
  });

  it.each<[string, SurveyQuestion, string | undefined]>([
    ['its text', { ...use, text: 'Why?' }, '2026-11-21'],
    ['a label', { ...use, choices: [choice('reports', 'Reporting'), ...many('alerts')] }, '2026-11-21'],
    ['its ratings', { ...use, ratings: [0] }, undefined],
    ['its order and choices', { ...use, choices: many('tests', 'alerts', 'new') }, undefined],
  ])('is marked with the day of a new wording: %s', (_, question, day) => {
    expect(changed(survey, asking(question)).questionsEver?.[0]?.reworded).toBe(day);
  });

  it.each<[string, SurveyQuestion[], string]>([
    ['another kind', [{ ...use, kind: 'one' }], 'use a new id'],
    ['another scale', [{ ...effort, id: 'use', kind: 'scale' }], 'use a new id'],
    [
      'a seventh id',
      [1, 2, 3, 4].map((nth) => ({ ...more, id: `m${nth}`, kind: 'scale', min: 0, max: 1 })),
      '6 different',
    ],
    ['a 17th code', [{ ...use, choices: many(...'abcdefghijklmnop') }], '16 different'],
  ])('cannot have %s', (_, questions, message) => {
    const updated = [updateOf(survey, asking(...questions))];
    const plan = { created: [], updated, unchanged: [], archived: [] };
    const broken = brokenRules([survey], plan, DAY_2);
    expect(broken).toMatchObject([{ slug: 'recommend', field: 'questions' }]);
    expect(broken[0]?.message.toLowerCase()).toContain(message);
  });
});

describe('a stored survey with questions', () => {
  const locales = {
    de: { question: 'Ja?', questions: { use: { text: 'Wozu?', choices: { alerts: 'Alarme' } } } },
    fr: {},
  };
  const full = created(aSurvey({}, { ...survey.content, locales }));

  it('is the same when it is read', () => {
    const { projectId: _, ...row } = surveyItem('p', full);
    expect(readSurvey(row)).toEqual(full);
  });

  it('has its questions beside the content, so an older release keeps them', () => {
    const row = surveyItem('p', full);
    const { content, ...beside } = row;
    const saved = {
      ...beside,
      content: { ...(content as object), question: 'Now?', locales: { fr: {}, it: {} } },
    };
    expect(JSON.stringify(content)).not.toMatch(/questions|Alarme/);
    const { content: read, questionsEver } = readSurvey(saved);
    expect(read).toMatchObject({
      question: 'Now?',
      questions: survey.content.questions,
      locales: { fr: {}, it: {} },
    });
    expect(questionsEver).toEqual(survey.questionsEver);
  });
});

describe('a survey file with questions', () => {
  const file = { slug: 'recommend', type: 'nps', question: 'Likely?', questions: [use, role, more] };
  const problems = (change: object) => {
    const { error } = surveyOfFile.safeParse(JSON.parse(JSON.stringify({ ...file, ...change })));
    return error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? [];
  };

  it('is accepted with a question of each kind', () => {
    expect(problems({})).toEqual([]);
    expect(problems({ questions: [effort] })).toEqual([]);
    expect(problems({ locales: { de: { questions: { use: { choices: { alerts: 'Alarme' } } } } } })).toEqual(
      [],
    );
  });

  it.each<[string, object]>([
    ['questions must not have more than 3 questions', { questions: [use, role, more, effort] }],
    ['questions.1.id must not be the id of another', { questions: [use, use] }],
    ['questions.0.id must be another name', { questions: [{ ...more, id: 'constructor' }] }],
    ['questions.1.kind must be text in only one question', { questions: [more, { ...more, id: 'm2' }] }],
    ['questions.0.choices is missing', { questions: [{ ...use, choices: undefined }] }],
    ['questions.0.choices must have at least 2', { questions: [{ ...use, choices: many('a') }] }],
    [
      'questions.0.choices must not have more than 8',
      { questions: [{ ...use, choices: many(...'abcdefghi') }] },
    ],
    ['questions.0.choices.1.code must not be the code', { questions: [{ ...use, choices: many('a', 'a') }] }],
    ['questions.0.choices must be absent', { questions: [{ ...more, choices: many('a', 'b') }] }],
    ['questions.0.max is missing', { questions: [{ ...effort, max: undefined }] }],
    ['questions.0.max must be greater than min', { questions: [{ ...effort, max: 1 }] }],
    ['questions.0.max', { questions: [{ ...effort, max: 11 }] }],
    ['questions.0.min must be absent', { questions: [{ ...more, min: 0 }] }],
    [
      'questions.0.endLabels must be absent',
      { questions: [{ ...more, endLabels: { low: 'a', high: 'b' } }] },
    ],
    ['questions.0.text must be at most 200', { questions: [{ ...more, text: 'x'.repeat(201) }] }],
    ['questions.0.ratings must have only ratings from 0 to 10', { questions: [{ ...more, ratings: [11] }] }],
    [
      'questions.0.ratings must be absent with type: open',
      { type: 'open', questions: [{ ...more, ratings: [0] }] },
    ],
    ['locales.de.questions.nope must be the id', { locales: { de: { questions: { nope: {} } } } }],
    [
      'locales.de.questions.use.choices.x must be the code',
      { locales: { de: { questions: { use: { choices: { x: 'X' } } } } } },
    ],
    [
      'locales.de.questions.use.endLabels must be absent',
      { locales: { de: { questions: { use: { endLabels: { low: 'a', high: 'b' } } } } } },
    ],
  ])('is refused: %s', (problem, change) => {
    expect(problems(change)).toContainEqual(expect.stringContaining(problem));
  });
});
