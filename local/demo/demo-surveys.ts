/** Surveys of each type, as the demo project is seeded with them. */

import type { Repeat } from '../../shared/domain/surveys/repeat.ts';
import type { Segment } from '../../shared/domain/surveys/segments.ts';
import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';

export const DEMO_SEGMENTS: readonly Segment[] = [
  { name: 'plan', values: [{ text: 'free' }, { text: 'plus' }, { text: 'pro' }] },
];

export const DEMO_SURVEYS: readonly SurveyContent[] = [
  {
    slug: 'recommend',
    type: 'nps',
    question: 'How likely are you to recommend us to a colleague?',
    followUpQuestion: 'What is the main reason for your score?',
    presentation: 'corner',
    corner: 'bottom-right',
    trigger: 'auto',
    delayMs: 1_500,
    endLabels: { low: 'Not at all likely', high: 'Extremely likely' },
    locales: {
      de: {
        question: 'Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?',
        followUpQuestion: 'Was ist der wichtigste Grund für Ihre Bewertung?',
        endLabels: { low: 'Sehr unwahrscheinlich', high: 'Sehr wahrscheinlich' },
      },
      ar: {
        question: 'ما مدى احتمال أن توصي بنا لزميل؟',
        followUpQuestion: 'ما السبب الرئيسي لتقييمك؟',
        endLabels: { low: 'غير محتمل إطلاقًا', high: 'محتمل جدًا' },
      },
    },
  },
  {
    slug: 'checkout',
    type: 'csat',
    question: 'How satisfied are you with the checkout?',
    followUpQuestion: 'What could be better?',
    presentation: 'inline',
    trigger: 'manual',
    locales: {
      de: {
        question: 'Wie zufrieden sind Sie mit dem Bestellvorgang?',
        followUpQuestion: 'Was könnte besser sein?',
      },
      ar: { question: 'ما مدى رضاك عن إتمام الطلب؟', followUpQuestion: 'ما الذي يمكن تحسينه؟' },
    },
  },
  {
    slug: 'returns',
    type: 'ces',
    question: 'How easy was it to return your order?',
    followUpQuestion: 'What made it hard?',
    presentation: 'banner',
    trigger: 'manual',
    endLabels: { low: 'Very difficult', high: 'Very easy' },
    locales: {
      de: {
        question: 'Wie leicht war es, Ihre Bestellung zurückzugeben?',
        followUpQuestion: 'Was hat es schwer gemacht?',
        endLabels: { low: 'Sehr schwer', high: 'Sehr leicht' },
      },
      ar: {
        question: 'ما مدى سهولة إرجاع طلبك؟',
        followUpQuestion: 'ما الذي جعله صعبًا؟',
        endLabels: { low: 'صعب جدًا', high: 'سهل جدًا' },
      },
    },
  },
  {
    slug: 'miss-us',
    type: 'pmf',
    question: 'How would you feel if you could no longer use this shop?',
    followUpQuestion: 'What is the main benefit you get from it?',
    presentation: 'corner',
    corner: 'bottom-left',
    trigger: 'manual',
    locales: {
      de: {
        question: 'Wie würden Sie sich fühlen, wenn es diesen Laden nicht mehr gäbe?',
        followUpQuestion: 'Was haben Sie vor allem davon?',
      },
      ar: {
        question: 'كيف ستشعر إذا لم يعد بإمكانك استخدام هذا المتجر؟',
        followUpQuestion: 'ما أهم فائدة تحصل عليها منه؟',
      },
    },
  },
  {
    slug: 'helpful',
    type: 'thumbs',
    question: 'Was this helpful?',
    followUpQuestion: 'What was missing?',
    presentation: 'inline',
    trigger: 'manual',
    locales: {
      de: { question: 'War das hilfreich?', followUpQuestion: 'Was hat gefehlt?' },
      ar: { question: 'هل كان هذا مفيدًا؟', followUpQuestion: 'ما الذي كان ينقص؟' },
    },
  },
  {
    slug: 'reply',
    type: 'thumbs',
    question: 'Was this reply helpful?',
    followUpQuestion: 'What was missing?',
    presentation: 'inline',
    trigger: 'manual',
    locales: {
      de: { question: 'War diese Antwort hilfreich?', followUpQuestion: 'Was hat gefehlt?' },
      ar: { question: 'هل كانت هذه الإجابة مفيدة؟', followUpQuestion: 'ما الذي كان ينقص؟' },
    },
  },
];

/** By slug, of those that repeat: thumbs under each reply of the chat. */
export const DEMO_REPEATS: Readonly<Record<string, Repeat>> = { reply: 'observation' };
