import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Tilbakemelding',
  close: 'Lukk',
  send: 'Send',
  back: 'Tilbake',
  thanks: 'Tusen takk!',
  contact: 'Dere kan skrive til meg om dette',
  contactAddress: 'E-postadressen din',
  incomplete: 'Fyll ut hele feltet',
  badge: 'Drevet av Canvass',
  nps: ['Svært lite sannsynlig', 'Svært sannsynlig'],
  csat: ['Svært misfornøyd', 'Misfornøyd', 'Verken eller', 'Fornøyd', 'Svært fornøyd'],
  ces: ['Helt uenig', 'Uenig', 'Litt uenig', 'Verken enig eller uenig', 'Litt enig', 'Enig', 'Helt enig'],
  pmf: ['Ikke skuffet', 'Litt skuffet', 'Svært skuffet'],
  thumbs: ['Ikke nyttig', 'Nyttig'],
};
