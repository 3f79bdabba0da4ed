/** What a visitor asks in the demo's chat, and what is said to it, in each of its languages. */

type Spoken = Readonly<Record<string, string>>;

/** Words of a question, and the reply; the last one is for all others. */
export const REPLIES: readonly (readonly [RegExp, Spoken])[] = [
  [
    /water|gieß|wasser|أسقي|ماء/i,
    {
      en: 'Twice a week, when the soil is dry to a finger. Let no water stand in the bowl.',
      de: 'Zweimal in der Woche, wenn die Erde trocken ist. In der Schale soll kein Wasser stehen.',
      ar: 'مرتين في الأسبوع، عندما تجف التربة. لا تترك ماءً راكدًا في الوعاء.',
    },
  ],
  [
    /back|return|zurück|إرجاع/i,
    {
      en: 'Yes, within 14 days. We collect it, and pay you back a day after.',
      de: 'Ja, 14 Tage lang. Wir holen sie ab und erstatten den Betrag am Tag danach.',
      ar: 'نعم، خلال 14 يومًا. نستلمه منك ونعيد المبلغ في اليوم التالي.',
    },
  ],
  [
    /order|bestell|طلب/i,
    {
      en: 'Order 1042 came on Tuesday, at 10:40. Your neighbour took it in.',
      de: 'Bestellung 1042 kam am Dienstag um 10:40 Uhr. Ihr Nachbar hat sie angenommen.',
      ar: 'وصل الطلب 1042 يوم الثلاثاء في الساعة 10:40، واستلمه جارك.',
    },
  ],
  [
    /(?:)/,
    {
      en: 'I know about water, returns and your order. Ask me about one of them.',
      de: 'Ich kenne mich mit Gießen, Rückgaben und Ihrer Bestellung aus. Fragen Sie mich danach.',
      ar: 'أعرف عن السقي والإرجاع وطلبك. اسألني عن أحدها.',
    },
  ],
];
