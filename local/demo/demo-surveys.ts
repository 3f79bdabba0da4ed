/** Surveys of each type, as the demo project is seeded with them. */

import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';

/** Question, follow-up, and what the ends of the scale are called. */
type Words = readonly [question: string, followUp: string, low?: string, high?: string];

function wordsOf([question, followUpQuestion, low, high]: Words) {
  return { question, followUpQuestion, ...(low && high && { endLabels: { low, high } }) };
}

type Shown = Pick<SurveyContent, 'slug' | 'type' | 'presentation' | 'corner' | 'delayMs'>;

/** By code: why a rating is low, in the three languages. */
type Reasons = Readonly<Record<string, readonly [en: string, de: string, ar: string]>>;

function demoSurvey(
  shown: Shown,
  [en, de, ar]: readonly [Words, Words, Words],
  reasons?: Reasons,
): SurveyContent {
  const labels = (place: 0 | 1 | 2) => {
    if (reasons === undefined) return {};
    return { reasons: Object.fromEntries(Object.entries(reasons).map(([code, all]) => [code, all[place]])) };
  };
  const listed = Object.entries(reasons ?? {}).map(([code, [label]]) => ({ code, label }));
  return {
    ...shown,
    ...wordsOf(en),
    ...(listed.length > 0 && { reasons: listed }),
    trigger: shown.delayMs === undefined ? 'manual' : 'auto',
    locales: { de: { ...wordsOf(de), ...labels(1) }, ar: { ...wordsOf(ar), ...labels(2) } },
  };
}

export const DEMO_SURVEYS: readonly SurveyContent[] = [
  demoSurvey(
    { slug: 'recommend', type: 'nps', presentation: 'corner', corner: 'bottom-right', delayMs: 1_500 },
    [
      [
        'How likely are you to recommend us to a colleague?',
        'What is the main reason for your score?',
        'Not at all likely',
        'Extremely likely',
      ],
      [
        'Wie wahrscheinlich ist es, dass Sie uns weiterempfehlen?',
        'Was ist der wichtigste Grund für Ihre Bewertung?',
        'Sehr unwahrscheinlich',
        'Sehr wahrscheinlich',
      ],
      ['ما مدى احتمال أن توصي بنا لزميل؟', 'ما السبب الرئيسي لتقييمك؟', 'غير محتمل إطلاقًا', 'محتمل جدًا'],
    ],
    {
      delivery: ['Slow delivery', 'Langsame Lieferung', 'بطء التوصيل'],
      search: ['Hard to find things', 'Schwer, etwas zu finden', 'صعوبة العثور على المنتجات'],
      price: ['Too expensive', 'Zu teuer', 'السعر مرتفع'],
      support: ['Support did not help', 'Support half nicht', 'الدعم لم يساعد'],
    },
  ),
  demoSurvey({ slug: 'checkout', type: 'csat', presentation: 'inline' }, [
    ['How satisfied are you with the checkout?', 'What could be better?'],
    ['Wie zufrieden sind Sie mit dem Bestellvorgang?', 'Was könnte besser sein?'],
    ['ما مدى رضاك عن إتمام الطلب؟', 'ما الذي يمكن تحسينه؟'],
  ]),
  demoSurvey({ slug: 'returns', type: 'ces', presentation: 'banner' }, [
    ['How easy was it to return your order?', 'What made it hard?', 'Very difficult', 'Very easy'],
    [
      'Wie leicht war es, Ihre Bestellung zurückzugeben?',
      'Was hat es schwer gemacht?',
      'Sehr schwer',
      'Sehr leicht',
    ],
    ['ما مدى سهولة إرجاع طلبك؟', 'ما الذي جعله صعبًا؟', 'صعب جدًا', 'سهل جدًا'],
  ]),
  demoSurvey({ slug: 'miss-us', type: 'pmf', presentation: 'corner' }, [
    ['How would you feel if you could no longer use this shop?', 'What is the main benefit you get from it?'],
    ['Wie würden Sie sich fühlen, wenn es diesen Laden nicht mehr gäbe?', 'Was haben Sie vor allem davon?'],
    ['كيف ستشعر إذا لم يعد بإمكانك استخدام هذا المتجر؟', 'ما أهم فائدة تحصل عليها منه؟'],
  ]),
  demoSurvey({ slug: 'helpful', type: 'thumbs', presentation: 'inline' }, [
    ['Was this helpful?', 'What was missing?'],
    ['War das hilfreich?', 'Was hat gefehlt?'],
    ['هل كان هذا مفيدًا؟', 'ما الذي كان ينقص؟'],
  ]),
  demoSurvey({ slug: 'reply', type: 'thumbs', presentation: 'inline' }, [
    ['Was this reply helpful?', 'What was missing?'],
    ['War diese Antwort hilfreich?', 'Was hat gefehlt?'],
    ['هل كانت هذه الإجابة مفيدة؟', 'ما الذي كان ينقص؟'],
  ]),
];
