/** The element that results are shown in: one for as long as the page lives. The survey's screen takes it in. */

import { RESULTS_BODY } from '../../../results/body.ts';
import { show } from '../../../results/script/dom.ts';

const element = document.createElement('div');
element.className = 'in-console';
element.hidden = true;
show(element, RESULTS_BODY);
// Where the script finds its parts, once it is read.
document.body.append(element);

/** @returns the element */
export function takeIn(place: Element | null): Element {
  element.hidden = false;
  place?.append(element);
  return element;
}

export const putAway = (): void => element.remove();
