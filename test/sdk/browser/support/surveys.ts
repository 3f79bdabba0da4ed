import type { SurveyContent } from '../../../../shared/domain/surveys/survey.ts';

export const TYPES = ['nps', 'csat', 'ces', 'pmf'] as const;
export const PRESENTATIONS = ['corner', 'inline', 'banner'] as const;

const QUESTION = {
  nps: 'How likely are you to recommend us to a colleague?',
  csat: 'How satisfied are you with your order?',
  ces: 'It was easy to return my order.',
  pmf: 'How would you feel if you could no longer use this shop?',
} as const;

/** One manual survey per type and presentation, with the slug `<type>-<presentation>`. */
const MATRIX = TYPES.flatMap((type) =>
  PRESENTATIONS.map(
    (presentation): SurveyContent => ({
      slug: `${type}-${presentation}`,
      type,
      question: QUESTION[type],
      followUpQuestion: 'What is the main reason?',
      presentation,
      trigger: 'manual',
      locales: {
        de: { question: 'Wie zufrieden sind Sie?', followUpQuestion: 'Warum?' },
        ar: {
          question: 'ما مدى احتمال أن توصي بنا لزميل؟',
          followUpQuestion: 'ما السبب الرئيسي؟',
          endLabels: { low: 'غير محتمل', high: 'محتمل جدًا' },
        },
      },
    }),
  ),
);

export const REASONS = [
  { code: 'slow', label: 'It was slow' },
  { code: 'wrong', label: 'It was wrong' },
  { code: 'rude', label: 'It was rude' },
];

const plain = (slug: string, more: Partial<SurveyContent> = {}): SurveyContent => ({
  slug,
  type: 'nps',
  question: QUESTION.nps,
  presentation: 'corner',
  trigger: 'manual',
  ...more,
});

const ASKED_THUMBS = PRESENTATIONS.map((presentation) =>
  plain(`thumbs-${presentation}`, {
    type: 'thumbs',
    question: 'Was this page helpful?',
    followUpQuestion: 'What was missing?',
    presentation,
    locales: { ar: { question: 'هل كانت هذه الصفحة مفيدة؟', followUpQuestion: 'ما الذي كان ينقص؟' } },
  }),
);

/** The last choice asks for words, and the one before is low. */
const UNSCALED = PRESENTATIONS.flatMap((presentation) => [
  plain(`choice-${presentation}`, {
    type: 'choice',
    question: 'What do you use us for?',
    choices: [
      { code: 'gifts', label: 'Gifts' },
      { code: 'home', label: 'My home' },
      { code: 'none', label: 'Nothing yet', low: true },
      { code: 'other', label: 'Something else', words: true },
    ],
    reasons: REASONS,
    shuffle: true,
    presentation,
    locales: {
      ar: {
        question: 'لأي غرض تستخدمنا؟',
        choices: { gifts: 'الهدايا', home: 'منزلي', none: 'لا شيء بعد', other: 'شيء آخر' },
      },
    },
  }),
  plain(`open-${presentation}`, {
    type: 'open',
    question: 'What should we improve?',
    presentation,
    locales: { ar: { question: 'ماذا نحسّن؟' } },
  }),
]);

/** Questions of all kinds. Promoters are asked for their role. */
const ASKED = PRESENTATIONS.map((presentation) =>
  plain(`asked-${presentation}`, {
    presentation,
    followUpQuestion: 'Why?',
    questions: [
      {
        id: 'use',
        kind: 'many',
        text: 'What do you use us for?',
        choices: [
          { code: 'reports', label: 'Reports' },
          { code: 'alerts', label: 'Alerts' },
        ],
      },
      {
        id: 'role',
        kind: 'one',
        text: 'What is your role?',
        choices: [
          { code: 'dev', label: 'Developer' },
          { code: 'other', label: 'Other' },
        ],
        ratings: [9, 10],
      },
      presentation === 'corner'
        ? { id: 'more', kind: 'text', text: 'Anything else?' }
        : {
            id: 'ease',
            kind: 'scale',
            text: 'How easy was it?',
            min: 1,
            max: 5,
            endLabels: { low: 'Hard', high: 'Easy' },
          },
    ],
    locales: {
      ar: {
        question: 'ما مدى احتمال أن توصي بنا لزميل؟',
        followUpQuestion: 'لماذا؟',
        questions: {
          use: { text: 'فيم تستخدمنا؟', choices: { reports: 'التقارير', alerts: 'التنبيهات' } },
          role: { text: 'ما دورك؟', choices: { dev: 'مطوّر' } },
          ...(presentation === 'corner'
            ? { more: { text: 'شيء آخر؟' } }
            : { ease: { text: 'ما مدى السهولة؟' } }),
        },
      },
    },
  }),
);

const REVIEW = { label: 'Write a review', url: 'https://example.com/review' };
const DETRACTORS = [0, 1, 2, 3, 4, 5, 6];

/** Texts depend on the rating. German has only some of them. */
const RATED: readonly SurveyContent[] = [
  plain('rated', {
    followUps: [
      { ratings: DETRACTORS, question: 'What went wrong?' },
      { ratings: [7, 8], question: 'What could be better?' },
    ],
    thanks: [{ ratings: [9, 10], text: 'Glad to hear it!', link: REVIEW }, { text: 'We read every word.' }],
    locales: {
      de: {
        question: 'Empfehlen Sie uns?',
        followUps: [{ ratings: DETRACTORS, question: 'Was lief schief?' }],
        thanks: [{ ratings: [9, 10], text: 'Das freut uns!', link: { ...REVIEW, label: 'Bewerten' } }],
      },
      ar: {
        question: 'ما مدى احتمال أن توصي بنا لزميل؟',
        followUps: [{ ratings: DETRACTORS, question: 'ما الذي حدث؟' }],
      },
    },
  }),
  plain('rated-thumbs', {
    type: 'thumbs',
    question: 'Was this page helpful?',
    followUps: [{ ratings: [0], question: 'What was missing?' }],
    thanks: [{ ratings: [1], text: 'Glad to hear it!' }, { text: 'We read every word.' }],
  }),
];

export const SURVEYS: readonly SurveyContent[] = [
  ...MATRIX,
  ...ASKED_THUMBS,
  ...RATED,
  ...UNSCALED,
  ...ASKED,
  plain('open-asked', {
    type: 'open',
    question: 'What should we improve?',
    questions: [{ id: 'ease', kind: 'scale', text: 'How easy was it?', min: 0, max: 10 }],
  }),
  plain('plain'),
  plain('reasoned', { followUpQuestion: 'What went wrong?', reasons: REASONS }),
  plain('badge', { showBadge: true, corner: 'top-left' }),
  plain('badge-banner', { showBadge: true, presentation: 'banner' }),
  plain('targeted', { targeting: [{ trait: 'plan', op: 'eq', value: 'pro' }] }),
  plain('nobody', { samplePercent: 0 }),
  plain('worded', {
    followUpQuestion: 'Why?',
    thanks: { text: 'Many thanks.', link: { label: 'Write a review', url: 'https://example.com/review' } },
    words: {
      send: 'Submit',
      close: 'Not now',
      contact: 'Call me',
      contactAddress: 'Your number',
      values: ['Never', 'Always'],
    },
    locales: {
      de: {
        question: 'Empfehlen Sie uns?',
        thanks: { text: 'Danke sehr.' },
        words: { send: 'Abschicken', values: ['Nie', 'Immer'] },
      },
    },
  }),
];

/** The survey has its own project, because it appears for every eligible person. */
export const AUTO_SURVEYS: readonly SurveyContent[] = [plain('auto', { trigger: 'auto', delayMs: 5_000 })];

/** Surveys with pages and events have their own project and separate paths. */
export const OPENED_SURVEYS: readonly SurveyContent[] = [
  plain('feedback', { trigger: 'person' }),
  plain('helpful', { type: 'thumbs', trigger: 'person' }),
  plain('idea', { type: 'open', question: 'What is missing?', trigger: 'person' }),
  plain('rate-page', { trigger: 'person', presentation: 'inline' }),
  plain('on-help', { trigger: 'person', pages: ['/help'] }),
  plain('for-staff', { trigger: 'person', targeting: [{ trait: 'plan', op: 'eq', value: 'staff' }] }),
  plain('itself', { trigger: 'auto' }),
];

export const PLACED_SURVEYS: readonly SurveyContent[] = [
  plain('on-orders', { trigger: 'auto', pages: ['/orders/**'] }),
  plain('after-paying', {
    trigger: 'auto',
    pages: ['/shop'],
    delayMs: 60_000,
    on: { event: 'order-paid', after: '5s', times: 2 },
  }),
  plain('on-help', { pages: ['/help'] }),
];
