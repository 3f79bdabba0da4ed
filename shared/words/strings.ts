/** Words of the widget and of the page behind a link. A survey's texts come from its definition. */
export interface Strings {
  /** Name of the region. */
  readonly region: string;
  readonly close: string;
  readonly send: string;
  readonly thanks: string;
  /** Label of the box that asks to be contacted. */
  readonly contact: string;
  /** Label of the field for an address, for somebody whom the page has not named. */
  readonly contactAddress: string;
  readonly badge: string;
  /** Meanings of the values, lowest first: one for each, or the two ends only; `pmf` shows nothing else, so all three. */
  readonly nps: readonly string[];
  readonly csat: readonly string[];
  readonly ces: readonly string[];
  readonly pmf: readonly string[];
  /** Of thumbs: down, then up. */
  readonly thumbs?: readonly string[];
}

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
