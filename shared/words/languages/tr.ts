import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: 'Geri bildirim',
  close: 'Kapat',
  send: 'Gönder',
  back: 'Geri',
  thanks: 'Teşekkür ederiz!',
  contact: 'Bu konuda bana yazabilirsiniz',
  contactAddress: 'E-posta adresiniz',
  incomplete: 'Bu alanı eksiksiz doldurun',
  badge: 'Canvass ile hazırlanmıştır',
  nps: ['Hiç olası değil', 'Çok olası'],
  csat: ['Hiç memnun değilim', 'Memnun değilim', 'Kararsızım', 'Memnunum', 'Çok memnunum'],
  ces: [
    'Kesinlikle katılmıyorum',
    'Katılmıyorum',
    'Pek katılmıyorum',
    'Kararsızım',
    'Biraz katılıyorum',
    'Katılıyorum',
    'Kesinlikle katılıyorum',
  ],
  pmf: ['Üzülmem', 'Biraz üzülürüm', 'Çok üzülürüm'],
  thumbs: ['Yararlı değil', 'Yararlı'],
};
