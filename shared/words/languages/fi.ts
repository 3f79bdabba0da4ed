import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Palaute',
  close: 'Sulje',
  send: 'Lähetä',
  back: 'Takaisin',
  thanks: 'Kiitos!',
  contact: 'Minulle saa kirjoittaa tästä',
  contactAddress: 'Sähköpostiosoitteesi',
  incomplete: 'Täytä kenttä kokonaan',
  badge: 'Kyselyn tarjoaa Canvass',
  nps: ['Erittäin epätodennäköistä', 'Erittäin todennäköistä'],
  csat: ['Erittäin tyytymätön', 'Tyytymätön', 'Neutraali', 'Tyytyväinen', 'Erittäin tyytyväinen'],
  ces: [
    'Täysin eri mieltä',
    'Eri mieltä',
    'Jokseenkin eri mieltä',
    'Ei samaa eikä eri mieltä',
    'Jokseenkin samaa mieltä',
    'Samaa mieltä',
    'Täysin samaa mieltä',
  ],
  pmf: ['En pettynyt', 'Hieman pettynyt', 'Erittäin pettynyt'],
  thumbs: ['Ei hyödyllinen', 'Hyödyllinen'],
};
