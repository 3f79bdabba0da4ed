import type { Strings } from '../../../shared/words/strings.ts';

/** The words that thumbs need under a message. */
export const ENGLISH: Required<Pick<Strings, 'send' | 'thanks' | 'thumbs'>> = {
  send: 'Send',
  thanks: 'Thank you!',
  thumbs: ['Not helpful', 'Helpful'],
};
