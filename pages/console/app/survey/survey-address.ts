/** The view of a survey's results behind its address: `#/survey/nps?days=30&segment=plan`. */

import { readView, type View, writeView } from '../../../results/script/view.ts';
import { hrefOf } from '../shell/route.ts';

export const readAddress = (hash: string, survey: string): View => ({
  ...readView(hash.slice(hash.indexOf('?') + 1 || hash.length)),
  survey,
  project: undefined,
});

export function writeAddress(view: View, slug: string): string {
  const said = writeView({ ...view, survey: undefined, project: undefined }).slice(1);
  return hrefOf({ screen: 'survey', slug }) + (said === '' ? '' : `?${said}`);
}
