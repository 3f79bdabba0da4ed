import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'La tua opinione',
  close: 'Chiudi',
  send: 'Invia',
  back: 'Indietro',
  thanks: 'Grazie mille!',
  contact: 'Potete scrivermi al riguardo',
  contactAddress: 'Il tuo indirizzo e-mail',
  incomplete: 'Completa questo campo',
  badge: 'Realizzato con Canvass',
  nps: ['Per niente probabile', 'Molto probabile'],
  csat: [
    'Molto insoddisfatto/a',
    'Insoddisfatto/a',
    'Né soddisfatto/a né insoddisfatto/a',
    'Soddisfatto/a',
    'Molto soddisfatto/a',
  ],
  ces: [
    'Totalmente in disaccordo',
    'In disaccordo',
    'Piuttosto in disaccordo',
    'Né d’accordo né in disaccordo',
    'Piuttosto d’accordo',
    'D’accordo',
    'Totalmente d’accordo',
  ],
  pmf: ['Per niente deluso/a', 'Un po’ deluso/a', 'Molto deluso/a'],
  thumbs: ['Non utile', 'Utile'],
};
