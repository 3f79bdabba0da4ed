import type { Strings } from '../../shared/words/strings.ts';

/** How the widget looks, and what it says. */
export interface Appearance {
  /** Default `auto`: the `color-scheme` of the page. */
  readonly theme?: 'auto' | 'light' | 'dark' | undefined;
  /** Words in place of the widget's own, which it has in 21 languages. */
  readonly strings?: Partial<Strings> | undefined;
}
