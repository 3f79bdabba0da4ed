import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import { chooseAnswers } from '../../../shared/domain/surveys/questions.ts';
import {
  type SurveyChoice,
  type SurveyQuestion,
  type SurveyType,
  scaleOf,
} from '../../../shared/domain/surveys/survey.ts';
import { type AdminCli, createAdminCli } from '../../support/admin-cli.ts';
import { aSurvey, CHOICES } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let service: TestService;
let admin: AdminCli;
beforeAll(async () => {
  service = await createTestService();
  admin = createAdminCli(service);
});

const flagsOf = ({ project, surveys }: Tenant) => {
  const slug = surveys[0]?.content.slug ?? '';
  return { slug, project: ['--project', project.id] };
};

async function exported(tenant: Tenant, format: 'csv' | 'jsonl'): Promise<string> {
  const { slug, project } = flagsOf(tenant);
  const file = join(temporaryFolder(), `answers.${format}`);
  await admin.json('results', 'export', slug, ...project, '--format', format, '-o', file);
  return file;
}

/**
 * An import keeps who answered, what they said and when. It does not keep the rest: ids and the survey are those of the
 * new project; reasons, traits, segments' inputs, sessions, labels and contact requests depend on settings and consents
 * of the old one. Verification, scores, revisions and handled requests stay with the old project. Empty texts are not stored.
 */
async function kept(tenant: Tenant): Promise<string[]> {
  const lines = readFileSync(await exported(tenant, 'jsonl'), 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean);
  return lines
    .map((line) => JSON.parse(line))
    .filter(({ kind, withdrawn }) => kind === 'response' && !withdrawn)
    .map(({ respondentId, rating, choice, text, at, answers }) =>
      JSON.stringify([
        respondentId,
        choice ?? rating,
        text || null,
        at,
        Object.entries(answers ?? {}).sort(),
      ]),
    )
    .toSorted();
}

const piece = fc.oneof(
  fc.constantFrom(...'\'=+-@",; \t\r\n\u2028\ufeff\uff1d{a', '\r\n'),
  fc.string({ unit: 'grapheme', maxLength: 3 }),
);
const words = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
/** The first question is no longer listed. */
const QUESTIONS: SurveyQuestion[] = [
  { id: 'old', kind: 'text', text: 'Before?' },
  {
    id: 'use',
    kind: 'many',
    text: 'What for?',
    choices: CHOICES.map(({ code, label }) => ({ code, label })),
  },
  { id: 'effort', kind: 'scale', text: 'How easy?', min: 0, max: 10, ratings: [3] },
  { id: 'more', kind: 'text', text: 'Anything else?' },
];
const COLUMNS = 'answers.use,answers.effort,answers.more,answers.old';
const codes = CHOICES.map(({ code }) => code);
const skippable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value);
const said = skippable(fc.oneof(words, fc.constantFrom('-', '\\-', '\\\\-', "'-", 'null')));
const answersById = fc.record(
  { old: said, more: said, use: skippable(fc.subarray(codes)), effort: skippable(fc.nat(10)) },
  { requiredKeys: [] },
);
const answer = fc.record({
  answers: answersById,
  respondentId: fc.oneof(
    words.filter((text) => text !== ''),
    fc.constantFrom('+49123', "'=a", ' ann ', 'ann'),
  ),
  text: fc.option(words, { nil: undefined }),
  rating: fc.nat(10),
  isDismissal: fc.boolean(),
  ago: fc.integer({ min: 1, max: 400 * 86_400_000 }),
});

/** The numbers of the choices differ between the projects. */
const CASES = (['csv', 'jsonl'] as const).flatMap((format) =>
  (['nps', 'choice', 'open'] as const).map((type) => ({ format, type })),
);
const surveyWith = (type: SurveyType, choices: SurveyChoice[], questions = QUESTIONS) => {
  const listed = questions.filter(({ id }) => id !== 'old');
  return aSurvey(
    { questionsEver: questions },
    { type, questions: listed, ...(type === 'choice' && { choices }) },
  );
};

it.each(CASES)(
  'keeps random answers to $type in an export and import as $format',
  async ({ format, type }) => {
    const answers = fc.array(answer, { minLength: 1, maxLength: 12 });
    const property = fc.asyncProperty(answers, async (given) => {
      const survey = surveyWith(type, CHOICES);
      const from = await service.tenant({}, [survey]);
      const to = await service.tenant({}, [surveyWith(type, CHOICES.toReversed(), QUESTIONS.toReversed())]);
      const { max } = scaleOf(survey);
      await seedAnswers(service.table, {
        projectId: from.project.id,
        surveyIds: [from.surveys[0]?.id ?? ''],
        count: given.length,
        respondentOf: (index) => given[index]?.respondentId ?? '',
        momentOf: (index) => service.clock.now() - (given[index]?.ago ?? 0),
        responseOf: (index) => {
          const { rating: number = 0, isDismissal, text, answers: sent } = given[index] ?? {};
          const rating = number % (max + 1);
          const { answers: chosen } = chooseAnswers(survey, rating, sent, () => true);
          return isDismissal ? undefined : { rating, text, answers: chosen };
        },
      });
      const file = await exported(from, format);
      const [head] = readFileSync(file, 'utf8').split('\r\n');
      if (format === 'csv') expect(head?.split(',choice,')[1]).toBe(COLUMNS);
      const importInto = ({ project, slug }: ReturnType<typeof flagsOf>) =>
        admin.json('import', ...project, '--survey', slug, '-f', file);
      const dismissals = given.filter(({ isDismissal }) => isDismissal).length;
      const imported = given.length - dismissals;
      if (imported === 0 && format === 'jsonl') return;
      expect(await importInto(flagsOf(to))).toMatchObject({ imported, dismissals, skipped: 0, rejected: [] });
      expect(await kept(to)).toEqual(await kept(from));
      for (const tenant of [from, to])
        expect(await importInto(flagsOf(tenant))).toMatchObject({
          imported: 0,
          completed: 0,
          skipped: imported,
        });
    });
    await fc.assert(property, { numRuns: type === 'nps' ? 8 : 3 });
  },
);

it('imports a file that an earlier release exported', async () => {
  const tenant = await service.tenant({}, [aSurvey()]);
  const file = join(temporaryFolder(), 'answers.csv');
  const header = 'kind,id,at,surveyId,surveySlug,surveyType,rating,text,respondentId,identityKind,withdrawn';
  const lines = [
    "response,r1,2026-02-01T10:00:00.000Z,sv_1,old,nps,9,'=1+1,'+49123,identified,false",
    'response,r2,2026-02-01T10:00:00.000Z,sv_1,old,nps,,,ann,identified,true',
    'response,r3,2026-02-01T10:00:00.000Z,sv_1,old,nps,9,,bob,model-requested,false',
    'dismissal,r4,2026-02-01T10:00:00.000Z,sv_1,old,nps,,,cy,,',
  ];
  writeFileSync(file, `\ufeff${[header, ...lines, ''].join('\r\n')}`);
  const { slug, project } = flagsOf(tenant);
  expect(await admin.json('import', ...project, '--survey', slug, '-f', file)).toMatchObject({
    imported: 1,
    dismissals: 1,
    withdrawn: 1,
    rejected: [{ line: 4, message: expect.stringContaining('requested by a model') }],
  });
  expect(await kept(tenant)).toEqual(['["+49123",9,"=1+1","2026-02-01T10:00:00.000Z",[]]']);
});
