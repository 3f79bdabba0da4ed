import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Feedback',
  close: 'Luk',
  send: 'Send',
  back: 'Tilbage',
  thanks: 'Mange tak!',
  contact: 'I må gerne skrive til mig om det',
  contactAddress: 'Din e-mailadresse',
  incomplete: 'Udfyld hele feltet',
  badge: 'Drevet af Canvass',
  nps: ['Slet ikke sandsynligt', 'Yderst sandsynligt'],
  csat: ['Meget utilfreds', 'Utilfreds', 'Hverken eller', 'Tilfreds', 'Meget tilfreds'],
  ces: [
    'Meget uenig',
    'Uenig',
    'Delvist uenig',
    'Hverken enig eller uenig',
    'Delvist enig',
    'Enig',
    'Meget enig',
  ],
  pmf: ['Ikke skuffet', 'Lidt skuffet', 'Meget skuffet'],
  thumbs: ['Ikke nyttigt', 'Nyttigt'],
};
