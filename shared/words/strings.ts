/** Texts of the widget and the link page. A survey's texts come from its definition. */
export interface Strings {
  /** Name of the survey for screen readers. */
  readonly region: string;
  /** Label of the button that dismisses the survey. */
  readonly close: string;
  /** Label of the button that sends the answer. */
  readonly send: string;
  /** Button to the next question after the rating. */
  readonly next?: string;
  /** The same button while the question has no answer. */
  readonly skip?: string;
  /** Button that returns to the step before. */
  readonly back: string;
  /** Shown after an answer. */
  readonly thanks: string;
  /** Label of the checkbox that requests contact. */
  readonly contact: string;
  /** Label of the address field, for people whom the page does not identify. */
  readonly contactAddress: string;
  /** Shown while the address is empty or invalid. Optional, because older complete sets lack it. */
  readonly incomplete?: string;
  /** Text of the badge. */
  readonly badge: string;
  /** Labels of the values, lowest first: one per value, or the two ends. `pmf` needs all three. */
  readonly nps: readonly string[];
  /** Labels of the values 1 to 5, or of the two ends. */
  readonly csat: readonly string[];
  /** Labels of the values 1 to 7, or of the two ends. */
  readonly ces: readonly string[];
  /** Labels of the three values. */
  readonly pmf: readonly string[];
  /** The label for thumbs down, then the one for thumbs up. */
  readonly thumbs?: readonly string[];
}

export type ScaleStrings = Pick<Strings, 'nps' | 'csat' | 'ces' | 'pmf' | 'thumbs'> &
  // Their values have no words of ours.
  Readonly<Partial<Record<'choice' | 'open', undefined>>>;

/** The widget fetches these with the follow-up question. */
export const FOLLOW_UP_STRINGS: Required<
  Pick<Strings, 'back' | 'contact' | 'contactAddress' | 'incomplete'>
> = {
  back: 'Back',
  contact: 'You may contact me about this',
  contactAddress: 'Your email address',
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

/** Without the mark, the widget's bundle would include the follow-up texts. */
export const STRINGS: Strings = /* @__PURE__ */ Object.assign({}, SCALE_STRINGS, FOLLOW_UP_STRINGS);
