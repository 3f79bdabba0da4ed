import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'ご意見',
  close: '閉じる',
  send: '送信',
  back: '戻る',
  thanks: 'ありがとうございました。',
  contact: 'この件で連絡を受け取ってもよい',
  contactAddress: 'メールアドレス',
  incomplete: '正しく入力してください',
  badge: 'Powered by Canvass',
  nps: ['まったく思わない', '非常にそう思う'],
  csat: ['とても不満', '不満', 'どちらともいえない', '満足', 'とても満足'],
  ces: [
    'まったくそう思わない',
    'そう思わない',
    'あまりそう思わない',
    'どちらともいえない',
    'ややそう思う',
    'そう思う',
    'とてもそう思う',
  ],
  pmf: ['残念ではない', 'やや残念', 'とても残念'],
  thumbs: ['役に立たなかった', '役に立った'],
};
