import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Rückmeldung',
  close: 'Schließen',
  send: 'Senden',
  back: 'Zurück',
  thanks: 'Vielen Dank!',
  contact: 'Sie dürfen mir dazu schreiben',
  contactAddress: 'Ihre E-Mail-Adresse',
  incomplete: 'Bitte vollständig ausfüllen',
  badge: 'Umfrage mit Canvass',
  nps: ['Sehr unwahrscheinlich', 'Sehr wahrscheinlich'],
  csat: ['Sehr unzufrieden', 'Unzufrieden', 'Teils, teils', 'Zufrieden', 'Sehr zufrieden'],
  ces: [
    'Stimme gar nicht zu',
    'Stimme nicht zu',
    'Stimme eher nicht zu',
    'Teils, teils',
    'Stimme eher zu',
    'Stimme zu',
    'Stimme voll und ganz zu',
  ],
  pmf: ['Nicht enttäuscht', 'Etwas enttäuscht', 'Sehr enttäuscht'],
  thumbs: ['Nicht hilfreich', 'Hilfreich'],
};
