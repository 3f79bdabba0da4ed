/** Surveys of each type, as the demo project is seeded with them, in English, German and Arabic. */

import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';

type Spoken<Text> = readonly [en: Text, de: Text, ar: Text];
type Words = readonly [question: string, followUpQuestion: string];

/** By code: why a rating is low. */
const REASONS: Readonly<Record<string, Spoken<string>>> = {
  delivery: ['Slow delivery', 'Langsame Lieferung', 'بطء التوصيل'],
  search: ['Hard to find things', 'Schwer, etwas zu finden', 'صعوبة العثور على المنتجات'],
  price: ['Too expensive', 'Zu teuer', 'السعر مرتفع'],
  support: ['Support did not help', 'Support half nicht', 'الدعم لم يساعد'],
};
const reasonsIn = (language: 0 | 1 | 2) =>
  Object.entries(REASONS).map(([code, labels]) => ({ code, label: labels[language] }));

const textsOf = ([question, followUpQuestion]: Words) => ({ question, followUpQuestion });

type Shown = Pick<SurveyContent, 'slug' | 'type' | 'presentation' | 'delayMs'>;

/** One that has a delay asks by itself, and why where the rating is low. */
function demoSurvey(shown: Shown, [en, de, ar]: Spoken<Words>): SurveyContent {
  const isAuto = shown.delayMs !== undefined;
  const labels = (language: 1 | 2) =>
    isAuto && { reasons: Object.fromEntries(reasonsIn(language).map(({ code, label }) => [code, label])) };
  return {
    ...shown,
    ...textsOf(en),
    ...(isAuto && { reasons: reasonsIn(0) }),
    trigger: isAuto ? 'auto' : 'manual',
    locales: { de: { ...textsOf(de), ...labels(1) }, ar: { ...textsOf(ar), ...labels(2) } },
  };
}

export const DEMO_SURVEYS: readonly SurveyContent[] = [
  demoSurvey({ slug: 'recommend', type: 'nps', presentation: 'corner', delayMs: 1_500 }, [
    ['How likely are you to recommend us to a colleague?', 'What is the main reason for your score?'],
    ['Wie wahrscheinlich empfehlen Sie uns weiter?', 'Was ist der wichtigste Grund für Ihre Bewertung?'],
    ['ما مدى احتمال أن توصي بنا لزميل؟', 'ما السبب الرئيسي لتقييمك؟'],
  ]),
  demoSurvey({ slug: 'checkout', type: 'csat', presentation: 'inline' }, [
    ['How satisfied are you with the checkout?', 'What could be better?'],
    ['Wie zufrieden sind Sie mit dem Bestellvorgang?', 'Was könnte besser sein?'],
    ['ما مدى رضاك عن إتمام الطلب؟', 'ما الذي يمكن تحسينه؟'],
  ]),
  demoSurvey({ slug: 'returns', type: 'ces', presentation: 'banner' }, [
    ['It was easy to return my order.', 'What made it hard?'],
    ['Die Rückgabe war einfach.', 'Was hat es schwer gemacht?'],
    ['كان من السهل إرجاع طلبي.', 'ما الذي جعله صعبًا؟'],
  ]),
  demoSurvey({ slug: 'miss-us', type: 'pmf', presentation: 'corner' }, [
    ['How would you feel if you could no longer use this shop?', 'What is the main benefit you get from it?'],
    ['Wie enttäuscht wären Sie, wenn es diesen Laden nicht mehr gäbe?', 'Was haben Sie vor allem davon?'],
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
