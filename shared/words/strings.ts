/** Words of the widget and of the page behind a link. A survey's texts come from its definition. */
export interface Strings {
  /** Name of the region. */
  readonly region: string;
  readonly close: string;
  readonly send: string;
  /** Name of the button that goes back to the scale. */
  readonly back: string;
  readonly thanks: string;
  /** Label of the box that asks to be contacted. */
  readonly contact: string;
  /** Label of the field for an address, for somebody whom the page has not named. */
  readonly contactAddress: string;
  /** Said below that field while it is empty or no e-mail address. Optional: whole sets of before do not have it. */
  readonly incomplete?: string;
  readonly badge: string;
  /** Meanings of the values, lowest first: one for each, or the two ends only; `pmf` shows nothing else, so all three. */
  readonly nps: readonly string[];
  readonly csat: readonly string[];
  readonly ces: readonly string[];
  readonly pmf: readonly string[];
  /** Of thumbs: down, then up. */
  readonly thumbs?: readonly string[];
}

/** What the values of a scale mean. */
export type ScaleStrings = Pick<Strings, 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs'>;

/** Those that a follow-up question needs, too: the widget fetches them with it. */
export const FOLLOW_UP_STRINGS: Required<
  Pick<Strings, 'back' | 'contact' | 'contactAddress' | 'incomplete'>
> = {
  back: 'Back',
  contact: 'You may write to me about this',
  contactAddress: 'Your e-mail address',
  incomplete: 'Please complete this field',
};

export const SCALE_STRINGS: Omit<Strings, keyof typeof FOLLOW_UP_STRINGS> = {
  region: 'Feedback',
  close: 'Close',
  send: 'Send',
  thanks: 'Thank you!',
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

/** Marked, or the widget would have those of the follow-up question, too. */
export const STRINGS: Strings = /* @__PURE__ */ Object.assign({}, SCALE_STRINGS, FOLLOW_UP_STRINGS);
