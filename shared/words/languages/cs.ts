import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Zpětná vazba',
  close: 'Zavřít',
  send: 'Odeslat',
  back: 'Zpět',
  thanks: 'Děkujeme!',
  contact: 'Můžete mi k tomu napsat',
  contactAddress: 'Vaše e-mailová adresa',
  incomplete: 'Vyplňte prosím celé pole',
  badge: 'Používá Canvass',
  nps: ['Velmi nepravděpodobné', 'Velmi pravděpodobné'],
  csat: ['Velmi nespokojený/á', 'Nespokojený/á', 'Ani tak, ani tak', 'Spokojený/á', 'Velmi spokojený/á'],
  ces: [
    'Rozhodně nesouhlasím',
    'Nesouhlasím',
    'Spíše nesouhlasím',
    'Ani tak, ani tak',
    'Spíše souhlasím',
    'Souhlasím',
    'Rozhodně souhlasím',
  ],
  pmf: ['Nevadilo by mi to', 'Trochu by mi to vadilo', 'Velmi by mi to vadilo'],
  thumbs: ['Nepomohlo', 'Pomohlo'],
};
