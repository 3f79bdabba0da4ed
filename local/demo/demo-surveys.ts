import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';

type Words = readonly [question: string, followUpQuestion: string];

const REASONS = [
  ['delivery', 'Slow delivery', 'بطء التوصيل'],
  ['search', 'Hard to find things', 'صعوبة العثور على المنتجات'],
  ['price', 'Too expensive', 'السعر مرتفع'],
  ['support', 'Support did not help', 'الدعم لم يساعد'],
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

export const DEMO_SURVEYS: readonly SurveyContent[] = [
  demoSurvey(
    { slug: 'recommend', type: 'nps', presentation: 'corner', delayMs: 1_500 },
    ['How likely are you to recommend us to a colleague?', 'What is the main reason for your score?'],
    ['ما مدى احتمال أن توصي بنا لزميل؟', 'ما السبب الرئيسي لتقييمك؟'],
  ),
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
];
