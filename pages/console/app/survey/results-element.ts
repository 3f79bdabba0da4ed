/**
 * The element that results are shown in: one for as long as the page lives, since its script finds its parts once. The
 * survey's screen takes it in while it is shown.
 */

import { RESULTS_BODY } from '../../../results/body.ts';
import { show } from '../../../results/script/dom.ts';

const element = document.createElement('div');
element.className = 'in-console';

/** @returns the element */
export function takeIn(place: Element | null): Element {
  if (element.childElementCount === 0) show(element, RESULTS_BODY);
  element.hidden = false;
  place?.append(element);
  return element;
}

/** @param read the script, which finds the parts as long as they are in the page */
export function putAway(read: Promise<unknown>): void {
  element.hidden = true;
  document.body.append(element);
  const remove = () => element.hidden && element.remove();
  read.then(remove, remove);
}
