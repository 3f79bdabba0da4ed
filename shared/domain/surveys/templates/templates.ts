/**
 * Surveys to start from, in English (docs/admin.md#templates). `languages/` has their texts in the other languages of the
 * widget. The console and `survey new` copy a template, so later changes affect no survey.
 */

import type { WrittenSurvey } from '../written-survey.ts';

export interface Template {
  readonly name: string;
  /** When to ask, whom, and how often. */
  readonly advice: string;
  readonly survey: Omit<WrittenSurvey, 'status' | 'locales'>;
}

const corner = { presentation: 'corner', trigger: 'auto' } as const;

export const TEMPLATES = {
  nps: {
    name: 'NPS with reasons',
    advice:
      'Ask people who have used the product for at least a month, when they open it, once a quarter. Ask all of them or a fixed percentage, never only those who seem content.',
    survey: {
      ...{ slug: 'recommend', type: 'nps', ...corner, delayMs: 5_000, repeat: '90d' },
      question: 'How likely are you to recommend us to a friend or colleague?',
      followUps: [
        { ratings: [0, 1, 2, 3, 4, 5, 6], question: 'What should we improve first?' },
        { ratings: [7, 8], question: 'What is missing for a higher score?' },
        { ratings: [9, 10], question: 'What do you like best?' },
      ],
      reasons: [
        { code: 'price', label: 'Price' },
        { code: 'features', label: 'Missing features' },
        { code: 'reliability', label: 'Errors or outages' },
        { code: 'support', label: 'Support' },
      ],
    },
  },
  support: {
    name: 'CSAT after support',
    advice:
      'Ask the person whose request was closed, within a day of it, once for each request. Report the event when your help desk closes the request.',
    survey: {
      ...{ slug: 'support', type: 'csat', ...corner, repeat: '7d' },
      on: { event: 'support-closed', after: '2s' },
      question: 'How satisfied are you with the help that you received?',
      followUpQuestion: 'What could we have done better?',
      reasons: [
        { code: 'slow', label: 'It took too long' },
        { code: 'unsolved', label: 'The problem is not solved' },
        { code: 'unclear', label: 'The answer was unclear' },
      ],
    },
  },
  checkout: {
    name: 'Effort after checkout',
    advice:
      'Ask right after an order, one buyer in four, at most once in 60 days. Do not ask before the order is complete.',
    survey: {
      ...{ slug: 'checkout', type: 'ces', ...corner, samplePercent: 25, repeat: '60d' },
      on: { event: 'order-completed', after: '2s' },
      question: 'It was easy to complete my order.',
      followUpQuestion: 'What made it difficult?',
      reasons: [
        { code: 'payment', label: 'Payment' },
        { code: 'delivery', label: 'Delivery options' },
        { code: 'form', label: 'Filling in the form' },
        { code: 'speed', label: 'Slow pages' },
      ],
    },
  },
  'product-market-fit': {
    name: 'Product-market fit',
    advice:
      'Ask people who have used the core of the product at least twice in the last two weeks, once. 40 answers are enough for a first figure; people who only tried it distort it.',
    survey: {
      ...{ slug: 'product-market-fit', type: 'pmf', ...corner, delayMs: 10_000 },
      question: 'How would you feel if you could no longer use this product?',
      followUpQuestion: 'How can we improve the product for you?',
      questions: [
        {
          ...{ id: 'benefit', kind: 'one', text: 'What is the main benefit for you?' },
          choices: [
            { code: 'time', label: 'It saves time' },
            { code: 'money', label: 'It saves money' },
            { code: 'quality', label: 'Better results' },
            { code: 'overview', label: 'A better overview' },
            { code: 'other', label: 'Something else' },
          ],
        },
        { id: 'people', kind: 'text', text: 'What kind of people would benefit most from this product?' },
      ],
    },
  },
  'feature-request': {
    name: 'Feature request',
    advice:
      'Ask active people before you plan a quarter, at most twice a year. Offer only what you could build.',
    survey: {
      ...{
        slug: 'feature-request',
        type: 'choice',
        ...corner,
        delayMs: 10_000,
        repeat: '180d',
        shuffle: true,
      },
      question: 'What should we work on next?',
      choices: [
        { code: 'integrations', label: 'Integrations' },
        { code: 'reports', label: 'Reports' },
        { code: 'speed', label: 'Speed' },
        { code: 'mobile', label: 'The mobile version' },
        { code: 'other', label: 'Something else', words: true },
      ],
      followUpQuestion: 'What would it help you to do?',
    },
  },
  churn: {
    name: 'Reason for leaving',
    advice:
      'Ask everybody who cancels, on the page that confirms the cancellation. Call `show()` there; it is asked even in the quiet period.',
    survey: {
      ...{ slug: 'leaving', type: 'choice', presentation: 'inline', trigger: 'manual', shuffle: true },
      question: 'Why are you leaving?',
      choices: [
        { code: 'price', label: 'It is too expensive', low: true },
        { code: 'features', label: 'A feature is missing', low: true },
        { code: 'faults', label: 'It does not work well', low: true },
        { code: 'other-tool', label: 'I use another product' },
        { code: 'no-need', label: 'I no longer need it' },
        { code: 'other', label: 'Something else', words: true },
      ],
      followUpQuestion: 'What could have kept you?',
      limits: { ignoreQuietPeriod: true },
    },
  },
  'heard-of-us': {
    name: 'Where people heard of us',
    advice: 'Ask new people in their first session, once. Later, they no longer remember.',
    survey: {
      ...{ slug: 'heard-of-us', type: 'choice', ...corner, shuffle: true },
      on: { event: 'signed-up', after: '5s' },
      question: 'Where did you hear of us?',
      choices: [
        { code: 'search', label: 'Search engine' },
        { code: 'friend', label: 'Friend or colleague' },
        { code: 'social', label: 'Social media' },
        { code: 'ai', label: 'AI assistant' },
        { code: 'article', label: 'Article, podcast or video' },
        { code: 'other', label: 'Somewhere else', words: true },
      ],
    },
  },
  onboarding: {
    name: 'Role at onboarding',
    advice:
      'Ask new people in their first session, once. Use the answer to adapt the product, and as a breakdown of later surveys.',
    survey: {
      ...{ slug: 'role', type: 'choice', presentation: 'inline', trigger: 'manual' },
      question: 'What describes your role best?',
      choices: [
        { code: 'engineering', label: 'Engineering' },
        { code: 'product', label: 'Product management' },
        { code: 'design', label: 'Design' },
        { code: 'marketing', label: 'Marketing or sales' },
        { code: 'management', label: 'Management' },
        { code: 'other', label: 'Something else', words: true },
      ],
      limits: { ignoreQuietPeriod: true },
    },
  },
  feedback: {
    name: 'Feedback button',
    advice:
      'Always available to everybody. Put `data-canvass-open="feedback"` on a button. People can send up to ten answers a day.',
    survey: {
      ...{ slug: 'feedback', type: 'open', presentation: 'corner', trigger: 'person' },
      question: 'What would you like to tell us?',
      thanks: { text: 'Thank you! We read every message.' },
    },
  },
  docs: {
    name: 'Helpful page of documentation',
    advice:
      'Show it at the end of each page of the documentation, to everybody, at most once a month for each person.',
    survey: {
      ...{ slug: 'docs', type: 'thumbs', presentation: 'inline', trigger: 'auto', repeat: '30d' },
      pages: ['/docs/**'],
      question: 'Was this page helpful?',
      followUpQuestion: 'What is missing or wrong?',
      reasons: [
        { code: 'unclear', label: 'Hard to understand' },
        { code: 'incomplete', label: 'Something is missing' },
        { code: 'outdated', label: 'Out of date' },
      ],
      limits: { ignoreQuietPeriod: true },
    },
  },
  reply: {
    name: 'Reply of an agent',
    advice:
      'Show thumbs below each reply of your agent. Nobody is interrupted, so no limit is needed. Your server mints the token with the ids of the session and the observation.',
    survey: {
      ...{ slug: 'reply', type: 'thumbs', presentation: 'inline', trigger: 'manual', repeat: 'observation' },
      question: 'Was this reply helpful?',
      followUpQuestion: 'What was wrong?',
      reasons: [
        { code: 'incorrect', label: 'Incorrect' },
        { code: 'incomplete', label: 'Incomplete' },
        { code: 'off-topic', label: 'Not what I asked' },
        { code: 'style', label: 'Wrong style or length' },
      ],
    },
  },
  beta: {
    name: 'Beta feedback',
    advice:
      'Ask people who tried the beta feature three times, once for each beta. Report the event at each use.',
    survey: {
      ...{ slug: 'beta', type: 'csat', ...corner },
      on: { event: 'beta-used', after: '5s', times: 3 },
      question: 'How satisfied are you with the new feature?',
      followUpQuestion: 'What should change before everybody gets it?',
      questions: [
        {
          id: 'effort',
          kind: 'scale',
          text: 'How easy is it to use?',
          min: 1,
          max: 5,
          endLabels: { low: 'Very difficult', high: 'Very easy' },
        },
        {
          ...{ id: 'keep', kind: 'one', text: 'Would you keep using it?' },
          choices: [
            { code: 'keep', label: 'Yes' },
            { code: 'unsure', label: 'Not sure' },
            { code: 'drop', label: 'No' },
          ],
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, Template>>;

export type TemplateName = keyof typeof TEMPLATES;
