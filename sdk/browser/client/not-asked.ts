import type { Delivery } from './message-rating.ts';

let isWarned = false;

/** For a rating without a binding. */
export function notAsked(): Delivery {
  if (!isWarned)
    console.warn(
      '[canvass] rate() got no binding: this person may not be asked. See `none` in the reply of mintTokens().',
    );
  isWarned = true;
  return { status: 'not-asked' };
}
