export const LANGUAGES = ['en', 'de', 'ar', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

type Asked = readonly [question: string, followUp: string];

export const TEXTS: Readonly<Record<string, Readonly<Record<Language, Asked>>>> = {
  nps: {
    en: ['How likely are you to recommend us to a friend or colleague?', 'What is the main reason?'],
    de: [
      'Wie wahrscheinlich ist es, dass Sie uns Freunden oder Kollegen weiterempfehlen?',
      'Was ist der wichtigste Grund für Ihre Bewertung?',
    ],
    ar: ['ما مدى احتمال أن توصي بنا لصديق أو زميل؟', 'ما السبب الرئيسي لتقييمك؟'],
    ja: ['ご友人や同僚にこのサービスを薦める可能性はどのくらいありますか？', '主な理由をお聞かせください。'],
  },
  csat: {
    en: ['How satisfied are you with your order?', 'What could be better?'],
    de: ['Wie zufrieden sind Sie mit Ihrer Bestellung?', 'Was könnte besser sein?'],
    ar: ['ما مدى رضاك عن طلبك؟', 'ما الذي يمكن تحسينه؟'],
    ja: ['ご注文にどのくらい満足していますか？', '改善できる点はありますか？'],
  },
  ces: {
    en: ['It was easy to return my order.', 'What made it hard?'],
    de: ['Es war leicht, meine Bestellung zurückzugeben.', 'Was hat es schwer gemacht?'],
    ar: ['كان من السهل إرجاع طلبي.', 'ما الذي جعله صعبًا؟'],
    ja: ['商品の返品は簡単でした。', '何が難しかったですか？'],
  },
  pmf: {
    en: ['How would you feel if you could no longer use this shop?', 'What is the main benefit?'],
    de: [
      'Wie würden Sie sich fühlen, wenn es diesen Laden nicht mehr gäbe?',
      'Was haben Sie vor allem davon?',
    ],
    ar: ['كيف ستشعر إذا لم يعد بإمكانك استخدام هذا المتجر؟', 'ما أهم فائدة تحصل عليها؟'],
    ja: ['このお店を使えなくなったら、どう感じますか？', '一番のメリットは何ですか？'],
  },
  choice: {
    en: ['What do you use us for most of the time?', 'What would make that easier?'],
    de: ['Wofür nutzen Sie uns meistens?', 'Was würde das erleichtern?'],
    ar: ['لأي غرض تستخدمنا غالبًا؟', 'ما الذي يسهّل ذلك؟'],
    ja: ['主に何のためにご利用ですか？', 'どうすればもっと便利になりますか？'],
  },
  open: {
    en: ['What is the one thing that we should improve?', ''],
    de: ['Was sollten wir unbedingt verbessern?', ''],
    ar: ['ما الشيء الوحيد الذي ينبغي أن نحسّنه؟', ''],
    ja: ['一つだけ改善するとしたら、何でしょうか？', ''],
  },
  thumbs: {
    en: ['Was this page helpful?', 'What was missing?'],
    de: ['Hat Ihnen diese Seite bei Ihrer Frage weitergeholfen?', 'Was hat gefehlt?'],
    ar: ['هل كانت هذه الصفحة مفيدة؟', 'ما الذي كان ينقص؟'],
    ja: ['このページはお役に立ちましたか？ご意見をお聞かせください。', '何が足りませんでしたか？'],
  },
};

const LABELS: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'Gifts',
    'My own home',
    'Tools and pots for a garden that I look after for others',
    'Nothing yet',
    'Something else',
  ],
  de: [
    'Geschenke',
    'Mein Zuhause',
    'Werkzeug und Töpfe für einen Garten, den ich pflege',
    'Noch nichts',
    'Etwas anderes',
  ],
  ar: ['الهدايا', 'منزلي', 'أدوات وأصص لحديقة أعتني بها من أجل الآخرين', 'لا شيء بعد', 'شيء آخر'],
  ja: ['贈り物', '自宅', 'ほかの人のために手入れしている庭の道具や鉢', 'まだ何も', 'その他'],
};

const CODES = [
  { code: 'gifts' },
  { code: 'home' },
  { code: 'garden' },
  { code: 'none', low: true },
  { code: 'other', words: true },
];

/** The fourth is low, and the last asks for words. */
export const choicesIn = (language: Language) =>
  CODES.map((choice, rating) => ({ ...choice, rating, label: LABELS[language][rating] ?? '' }));

export const REASONS: Readonly<Record<Language, readonly string[]>> = {
  en: ['It was slow', 'It was wrong', 'It was rude'],
  de: ['Zu langsam', 'Nicht richtig', 'Unfreundlich'],
  ar: ['كان بطيئًا', 'كان خاطئًا', 'لم يكن لطيفًا'],
  ja: ['遅かった', '間違っていた', '失礼だった'],
};
