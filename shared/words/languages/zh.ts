import type { Strings } from '../strings.ts';

export const words: Strings = {
  region: '反馈',
  close: '关闭',
  send: '提交',
  back: '返回',
  thanks: '谢谢！',
  contact: '可以就此与我联系',
  contactAddress: '您的电子邮箱',
  incomplete: '请填写完整',
  badge: '由 Canvass 提供支持',
  nps: ['完全不可能', '非常可能'],
  csat: ['非常不满意', '不满意', '一般', '满意', '非常满意'],
  ces: ['非常不同意', '不同意', '有点不同意', '中立', '有点同意', '同意', '非常同意'],
  pmf: ['不失望', '有点失望', '非常失望'],
  thumbs: ['没有帮助', '有帮助'],
};
