/** The widget's own words. A survey's texts come from its definition. */
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

export interface Appearance {
  /** Default `auto`: the `color-scheme` of the page. */
  readonly theme?: 'auto' | 'light' | 'dark' | undefined;
  /** Words in place of the widget's own, which it has in 21 languages. */
  readonly strings?: Partial<Strings> | undefined;
}
