import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Opinia',
  close: 'Zamknij',
  send: 'Wyślij',
  back: 'Wstecz',
  thanks: 'Dziękujemy!',
  contact: 'Można do mnie napisać w tej sprawie',
  contactAddress: 'Twój adres e-mail',
  incomplete: 'Proszę uzupełnić to pole',
  badge: 'Obsługiwane przez Canvass',
  nps: ['Bardzo mało prawdopodobne', 'Bardzo prawdopodobne'],
  csat: ['Bardzo źle', 'Źle', 'Ani dobrze, ani źle', 'Dobrze', 'Bardzo dobrze'],
  ces: [
    'Zdecydowanie się nie zgadzam',
    'Nie zgadzam się',
    'Raczej się nie zgadzam',
    'Trudno powiedzieć',
    'Raczej się zgadzam',
    'Zgadzam się',
    'Zdecydowanie się zgadzam',
  ],
  pmf: ['Bez żalu', 'Z pewnym żalem', 'Z wielkim żalem'],
  thumbs: ['Nieprzydatne', 'Przydatne'],
};
