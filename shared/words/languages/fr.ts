import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Votre avis',
  close: 'Fermer',
  send: 'Envoyer',
  back: 'Retour',
  thanks: 'Merci beaucoup !',
  contact: 'Vous pouvez m’écrire à ce sujet',
  contactAddress: 'Votre adresse e-mail',
  incomplete: 'Veuillez compléter ce champ',
  badge: 'Propulsé par Canvass',
  nps: ['Pas du tout probable', 'Très probable'],
  csat: ['Très insatisfait(e)', 'Insatisfait(e)', 'Neutre', 'Satisfait(e)', 'Très satisfait(e)'],
  ces: [
    'Pas du tout d’accord',
    'Pas d’accord',
    'Plutôt pas d’accord',
    'Ni d’accord ni pas d’accord',
    'Plutôt d’accord',
    'D’accord',
    'Tout à fait d’accord',
  ],
  pmf: ['Pas déçu(e)', 'Un peu déçu(e)', 'Très déçu(e)'],
  thumbs: ['Pas utile', 'Utile'],
};
