import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: '의견',
  close: '닫기',
  send: '보내기',
  back: '뒤로',
  thanks: '감사합니다!',
  contact: '이 의견에 대해 저에게 연락해도 됩니다',
  contactAddress: '이메일 주소',
  incomplete: '정확히 입력해 주세요',
  badge: 'Powered by Canvass',
  nps: ['전혀 그렇지 않다', '매우 그렇다'],
  csat: ['매우 불만족', '불만족', '보통', '만족', '매우 만족'],
  ces: [
    '전혀 동의하지 않음',
    '동의하지 않음',
    '별로 동의하지 않음',
    '보통',
    '약간 동의함',
    '동의함',
    '매우 동의함',
  ],
  pmf: ['아쉽지 않다', '조금 아쉽다', '매우 아쉽다'],
  thumbs: ['도움이 안 됨', '도움이 됨'],
};
