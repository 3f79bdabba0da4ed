import type { Strings } from './widget-options.ts';

export const STRINGS: Strings = {
  region: 'Feedback',
  close: 'Close',
  send: 'Send',
  thanks: 'Thank you!',
  contact: 'You may contact me',
  contactAddress: 'Your e-mail address',
  badge: 'Powered by Canvass',
  nps: ['Not at all likely', 'Extremely likely'],
  csat: ['Very dissatisfied', 'Dissatisfied', 'Neutral', 'Satisfied', 'Very satisfied'],
  ces: [
    'Strongly disagree',
    'Disagree',
    'Somewhat disagree',
    'Neutral',
    'Somewhat agree',
    'Agree',
    'Strongly agree',
  ],
  pmf: ['Not disappointed', 'Somewhat disappointed', 'Very disappointed'],
};
