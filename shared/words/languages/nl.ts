import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Feedback',
  close: 'Sluiten',
  send: 'Versturen',
  back: 'Terug',
  thanks: 'Hartelijk dank!',
  contact: 'U mag mij hierover schrijven',
  contactAddress: 'Uw e-mailadres',
  incomplete: 'Vul dit veld volledig in',
  badge: 'Mogelijk gemaakt door Canvass',
  nps: ['Zeer onwaarschijnlijk', 'Zeer waarschijnlijk'],
  csat: ['Zeer ontevreden', 'Ontevreden', 'Neutraal', 'Tevreden', 'Zeer tevreden'],
  ces: [
    'Helemaal mee oneens',
    'Mee oneens',
    'Enigszins mee oneens',
    'Neutraal',
    'Enigszins mee eens',
    'Mee eens',
    'Helemaal mee eens',
  ],
  pmf: ['Niet teleurgesteld', 'Een beetje teleurgesteld', 'Zeer teleurgesteld'],
  thumbs: ['Niet nuttig', 'Nuttig'],
};
