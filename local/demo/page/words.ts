import type { Strings } from '../../../sdk/browser/widget-options.ts';

/** The widget's own words in the shop's other languages. */
export const WORDS: Readonly<Record<string, Partial<Strings>>> = {
  de: {
    region: 'Rückmeldung',
    close: 'Schließen',
    send: 'Senden',
    thanks: 'Vielen Dank!',
    contact: 'Sie dürfen sich bei mir melden',
    csat: ['Sehr unzufrieden', 'Unzufrieden', 'Teils, teils', 'Zufrieden', 'Sehr zufrieden'],
    pmf: ['Nicht enttäuscht', 'Etwas enttäuscht', 'Sehr enttäuscht'],
  },
  ar: {
    region: 'رأيك',
    close: 'إغلاق',
    send: 'إرسال',
    thanks: 'شكرًا لك!',
    contact: 'يمكنكم التواصل معي',
    csat: ['غير راضٍ إطلاقًا', 'غير راضٍ', 'محايد', 'راضٍ', 'راضٍ جدًا'],
    pmf: ['لن أشعر بخيبة أمل', 'بعض خيبة الأمل', 'خيبة أمل كبيرة'],
  },
};
