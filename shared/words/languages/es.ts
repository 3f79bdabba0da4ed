import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Opinión',
  close: 'Cerrar',
  send: 'Enviar',
  back: 'Atrás',
  thanks: '¡Muchas gracias!',
  contact: 'Pueden escribirme sobre esto',
  contactAddress: 'Su correo electrónico',
  incomplete: 'Complete este campo',
  badge: 'Con la tecnología de Canvass',
  nps: ['Nada probable', 'Muy probable'],
  csat: ['Muy insatisfecho/a', 'Insatisfecho/a', 'Neutral', 'Satisfecho/a', 'Muy satisfecho/a'],
  ces: [
    'Totalmente en desacuerdo',
    'En desacuerdo',
    'Algo en desacuerdo',
    'Ni de acuerdo ni en desacuerdo',
    'Algo de acuerdo',
    'De acuerdo',
    'Totalmente de acuerdo',
  ],
  pmf: ['Nada decepcionado/a', 'Algo decepcionado/a', 'Muy decepcionado/a'],
  thumbs: ['No es útil', 'Es útil'],
};
