/**
 * The widget fetches these with the questions after the rating, by language: the button to the next question, the
 * button of a question without an answer, and the word between the number of a question and their count. As one text
 * each, they are smaller.
 */
export const QUESTION_STRINGS: Readonly<Record<string, string>> = {
  en: 'Next|Skip|of',
  ar: 'التالي|تخطٍّ|من',
  cs: 'Další|Přeskočit|z',
  da: 'Næste|Spring over|af',
  de: 'Weiter|Überspringen|von',
  es: 'Siguiente|Omitir|de',
  fi: 'Seuraava|Ohita|/',
  fr: 'Suivant|Passer|sur',
  he: 'הבא|דילוג|מתוך',
  it: 'Avanti|Salta|di',
  ja: '次へ|スキップ|/',
  ko: '다음|건너뛰기|/',
  nb: 'Neste|Hopp over|av',
  nl: 'Volgende|Overslaan|van',
  pl: 'Dalej|Pomiń|z',
  pt: 'Avançar|Pular|de',
  ru: 'Далее|Пропустить|из',
  sv: 'Nästa|Hoppa över|av',
  tr: 'İleri|Atla|/',
  uk: 'Далі|Пропустити|з',
  zh: '下一步|跳过|/',
};
