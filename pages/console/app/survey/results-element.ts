/** Shows results in one element for as long as the page lives. The survey's screen moves the element into itself. */

import { RESULTS_BODY } from '../../../results/body.ts';
import { show } from '../../../results/script/dom.ts';

const element = document.createElement('div');
element.className = 'in-console';
element.hidden = true;
show(element, RESULTS_BODY);
// The results script looks up its parts in the document when it loads.
document.body.append(element);

export function takeIn(place: Element | null): Element {
  element.hidden = false;
  place?.append(element);
  return element;
}

export const putAway = (): void => element.remove();
