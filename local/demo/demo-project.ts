/** The data folder stores which project is the demo's. */

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import * as z from 'zod/mini';
import * as accessKeys from '../../shared/crypto/access-key.ts';
import type { ProjectStore } from '../../shared/data/projects/project-store.ts';
import type { SurveyStore } from '../../shared/data/projects/survey-store.ts';
import * as ids from '../../shared/domain/ids.ts';
import * as projects from '../../shared/domain/project.ts';
import type { Survey, SurveyContent } from '../../shared/domain/surveys/survey.ts';
import { newSurvey, type SurveyDraft } from '../../shared/domain/surveys/survey-plan.ts';
import { readPrivateFile, writePrivateFile } from '../data-folder.ts';

/** The keys are stored here, because the table has only their hashes. */
const rememberedProject = z.object({
  projectId: z.string(),
  publishableKey: z.string(),
  secretKey: z.string(),
  editorKey: z.optional(z.string()),
  answers: z.optional(z.enum(['wanted', 'stored'])),
  seeded: z.optional(z.array(z.string())),
});

export type OpenedDemo = Awaited<ReturnType<typeof openDemoProject>>;
export type DemoProject = OpenedDemo['demo'];

interface DemoOptions {
  readonly store: ProjectStore;
  readonly surveyStore: SurveyStore;
  readonly keyAbbreviation: string;
  readonly hashSecret: Uint8Array;
  readonly folder: string | undefined;
  readonly withAnswers: boolean;
}

const SETTINGS = {
  name: 'Fern & Clay',
  /** The same color as in page/shop.css. */
  accent: '#2f6b4a',
  status: 'active',
  allowedOrigins: [],
  limits: projects.DEFAULT_LIMITS,
  rates: projects.DEFAULT_RATES,
  tokenLifetimeMs: projects.DEFAULT_TOKEN_LIFETIME_MS,
  typesUnlessSaid: projects.DEFAULT_TYPES_UNLESS_SAID,
} as const;

const surveyOf = (content: SurveyContent): Survey => {
  const draft: SurveyDraft = {
    content,
    status: 'active',
    limits: {},
    segments: { plan: ['free', 'plus', 'pro'], country: ['CH', 'DE', 'FR'] },
    ...(content.slug === 'reply' && { repeat: 'observation' }),
  };
  return newSurvey(ids.composeSurveyId(randomBytes(ids.SURVEY_ID_RANDOM_BYTES)), draft, Date.now());
};

function recall(file: string | undefined): Partial<z.infer<typeof rememberedProject>> {
  try {
    return rememberedProject.parse(JSON.parse((file && readPrivateFile(file)) ?? ''));
  } catch {
    return {};
  }
}

/** Adds missing surveys unless they were purged, and replaces unusable keys. */
export async function openDemoProject(options: DemoOptions) {
  const { store, surveyStore, keyAbbreviation: abbreviation, hashSecret, folder } = options;
  const file = folder && join(folder, 'demo.json');
  const recalled = recall(file);
  const known = recalled.projectId ? await store.read(recalled.projectId) : undefined;
  const projectId = known?.project.id ?? ids.composeProjectId(randomBytes(ids.PROJECT_ID_RANDOM_BYTES));
  const createdAt = new Date().toISOString();
  if (known === undefined) await store.createProject({ ...SETTINGS, id: projectId, createdAt }, []);

  const has = known?.surveys.map(({ content }) => content.slug) ?? [];
  const had = known && [...has, ...(recalled.seeded ?? [])];
  const created = DEMO_SURVEYS.filter(({ slug }) => !had?.includes(slug)).map(surveyOf);
  if (created.length > 0) {
    const order = [...(known?.surveyOrder ?? []), ...created.map(({ id }) => id)];
    await surveyStore.write(projectId, { created, updated: [], order }, known?.surveysVersion);
  }
  const record = await store.read(projectId);

  async function liveKey(kind: projects.KeyKind, text = ''): Promise<string> {
    const scopes = kind === 'editor' ? projects.personScopes(kind, true) : undefined;
    const claimed = accessKeys.parseAccessKey(abbreviation, text);
    const hash = claimed && accessKeys.checkAccessKey(hashSecret, claimed)?.hash;
    const key = record?.keys.find((each) => each.hash === hash && each.kind === kind && !each.revokedAt);
    if (key && (scopes ?? []).every((scope) => projects.hasScope(key, scope))) return text;
    const random = randomBytes(accessKeys.KEY_RANDOM_BYTES);
    const terms = { abbreviation, kind, projectId, random, createdAt, scopes };
    const issued = accessKeys.issueAccessKey(hashSecret, terms);
    await store.addKey(projectId, issued.stored);
    return issued.text;
  }
  const keys = {
    publishableKey: await liveKey('publishable', recalled.publishableKey),
    secretKey: await liveKey('secret', recalled.secretKey),
    editorKey: await liveKey('editor', recalled.editorKey),
  };
  const seeded = DEMO_SURVEYS.map(({ slug }) => slug);
  function remember(answers?: 'wanted' | 'stored'): void {
    const noted: z.infer<typeof rememberedProject> = { projectId, ...keys, answers, seeded };
    if (file !== undefined) writePrivateFile(file, JSON.stringify(noted));
  }
  const answers = known ? recalled.answers : options.withAnswers ? 'wanted' : undefined;
  remember(answers);
  const surveys = (record?.surveys ?? []).map(({ id, content: { slug, type } }) => ({ id, slug, type }));
  return {
    demo: { projectId, ...keys, surveys },
    record: answers === 'wanted' ? record : undefined,
    noteStored: () => remember('stored'),
  };
}

type Words = readonly [question: string, followUpQuestion: string];

const REASONS = [
  ['delivery', 'Slow delivery', 'بطء التوصيل'],
  ['search', 'Hard to find things', 'صعوبة العثور على المنتجات'],
  ['price', 'Too expensive', 'السعر مرتفع'],
  ['support', 'Support did not help', 'الدعم لم يساعد'],
] as const;

const PURPOSES = [
  ['home', 'My own home', 'منزلي', {}],
  ['gifts', 'Gifts', 'الهدايا', {}],
  ['office', 'Our office', 'مكتبنا', {}],
  ['nothing', 'Nothing yet', 'لا شيء بعد', { low: true }],
  ['other', 'Something else', 'شيء آخر', { words: true }],
] as const;

const textsOf = ([question, followUpQuestion]: Words) => ({ question, followUpQuestion });

type Shown = Pick<SurveyContent, 'slug' | 'type' | 'presentation' | 'delayMs'>;

function demoSurvey(shown: Shown, english: Words, arabic: Words): SurveyContent {
  const isAuto = shown.delayMs !== undefined;
  const labels = Object.fromEntries(REASONS.map(([code, , label]) => [code, label]));
  return {
    ...shown,
    ...textsOf(english),
    ...(isAuto && { reasons: REASONS.map(([code, label]) => ({ code, label })) }),
    trigger: isAuto ? 'auto' : 'manual',
    locales: { ar: { ...textsOf(arabic), ...(isAuto && { reasons: labels }) } },
  };
}

const byRating = (question: string, text: string, label: string) => ({
  followUps: [{ ratings: [0, 1, 2, 3, 4, 5, 6], question }],
  thanks: [{ ratings: [9, 10], text, link: { label, url: 'https://example.com/review' } }],
});

const RECOMMEND = demoSurvey(
  { slug: 'recommend', type: 'nps', presentation: 'corner', delayMs: 1_500 },
  ['How likely are you to recommend us to a colleague?', 'What is the main reason for your score?'],
  ['ما مدى احتمال أن توصي بنا لزميل؟', 'ما السبب الرئيسي لتقييمك؟'],
);

export const DEMO_SURVEYS: readonly SurveyContent[] = [
  {
    ...RECOMMEND,
    ...byRating('What went wrong?', 'Thank you! Would you tell others?', 'Write a review'),
    locales: {
      ar: {
        ...RECOMMEND.locales?.ar,
        ...byRating('ما الذي لم يعجبك؟', 'شكرًا لك! هل تخبر الآخرين؟', 'اكتب مراجعة'),
      },
    },
  },
  demoSurvey(
    { slug: 'checkout', type: 'csat', presentation: 'inline' },
    ['How satisfied are you with the checkout?', 'What could be better?'],
    ['ما مدى رضاك عن إتمام الطلب؟', 'ما الذي يمكن تحسينه؟'],
  ),
  demoSurvey(
    { slug: 'returns', type: 'ces', presentation: 'banner' },
    ['It was easy to return my order.', 'What made it hard?'],
    ['كان من السهل إرجاع طلبي.', 'ما الذي جعله صعبًا؟'],
  ),
  demoSurvey(
    { slug: 'miss-us', type: 'pmf', presentation: 'corner' },
    ['How would you feel if you could no longer use this shop?', 'What is the main benefit you get from it?'],
    ['كيف ستشعر إذا لم يعد بإمكانك استخدام هذا المتجر؟', 'ما أهم فائدة تحصل عليها منه؟'],
  ),
  demoSurvey(
    { slug: 'helpful', type: 'thumbs', presentation: 'inline' },
    ['Was this helpful?', 'What was missing?'],
    ['هل كان هذا مفيدًا؟', 'ما الذي كان ينقص؟'],
  ),
  demoSurvey(
    { slug: 'reply', type: 'thumbs', presentation: 'inline' },
    ['Was this reply helpful?', 'What was missing?'],
    ['هل كانت هذه الإجابة مفيدة؟', 'ما الذي كان ينقص؟'],
  ),
  {
    slug: 'purpose',
    type: 'choice',
    presentation: 'corner',
    trigger: 'manual',
    question: 'What do you use us for?',
    choices: PURPOSES.map(([code, label, , more]) => ({ code, label, ...more })),
    shuffle: true,
    locales: {
      ar: {
        question: 'لأي غرض تستخدمنا؟',
        choices: Object.fromEntries(PURPOSES.map(([code, , label]) => [code, label])),
      },
    },
  },
  {
    slug: 'improve',
    type: 'open',
    presentation: 'inline',
    trigger: 'manual',
    question: 'What should we improve?',
    locales: { ar: { question: 'ماذا ينبغي أن نحسّن؟' } },
  },
  {
    slug: 'feedback',
    type: 'open',
    presentation: 'corner',
    trigger: 'person',
    question: 'What would you like to tell us?',
    locales: { ar: { question: 'ماذا تود أن تخبرنا؟' } },
  },
];
