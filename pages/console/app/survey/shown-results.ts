/** Results and the element that they are shown in, which comes first: the script finds its parts when it is read. */

import { putAway, takeIn } from './results-element.ts';

export { closeView, followAddress, openView } from '../../../results/script/results-view.ts';
export { putAway, takeIn };

putAway();
