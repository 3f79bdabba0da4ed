import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Återkoppling',
  close: 'Stäng',
  send: 'Skicka',
  back: 'Tillbaka',
  thanks: 'Tack så mycket!',
  contact: 'Ni får gärna skriva till mig om det',
  contactAddress: 'Din e-postadress',
  incomplete: 'Fyll i hela fältet',
  badge: 'Drivs av Canvass',
  nps: ['Inte alls troligt', 'Mycket troligt'],
  csat: ['Mycket missnöjd', 'Missnöjd', 'Varken eller', 'Nöjd', 'Mycket nöjd'],
  ces: [
    'Instämmer inte alls',
    'Instämmer inte',
    'Instämmer knappast',
    'Varken eller',
    'Instämmer delvis',
    'Instämmer',
    'Instämmer helt',
  ],
  pmf: ['Inte besviken', 'Lite besviken', 'Mycket besviken'],
  thumbs: ['Inte till hjälp', 'Till hjälp'],
};
