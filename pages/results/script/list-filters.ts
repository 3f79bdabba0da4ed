/** The current view of the page, and the filters of its lists. */

import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { html } from '../../html.ts';
import { partsOf } from '../result-words.ts';
import type { View } from '../view.ts';
import type { Asker, Query } from './ask.ts';
import { type Asked, reasonsOffered, type Survey } from './controls.ts';
import { find, show } from './dom.ts';

const [ratings, reason] = [find('ratings', HTMLSelectElement), find('reason', HTMLSelectElement)];
const [states, contactsOf] = [find('state', HTMLSelectElement), find('contacts-of', HTMLSelectElement)];
const [when, order] = [find('when', HTMLSelectElement), find('sort', HTMLSelectElement)];

export interface Looked {
  readonly asker: Asker;
  /** Whether the person may mark contacts as handled. */
  readonly mayHandle: boolean;
  readonly results: ResultsReply;
  readonly of: Survey | undefined;
  readonly surveys: readonly Survey[];
  readonly asked: Asked;
  readonly view: View;
}

/** The chosen ratings and reason that the survey has. */
export const kindsOf = ({ results, of, view }: Looked) => ({
  part: partsOf(results.survey.type).find(({ tone }) => tone === view.ratings),
  named: reasonsOffered(of, results).find(({ code }) => code === view.reason),
});

export function filtersAsked(looked: Looked): Query {
  const { segment, value } = looked.asked;
  const { part, named } = kindsOf(looked);
  return {
    ...(part !== undefined && { ratingMin: String(part.from), ratingMax: String(part.to) }),
    ...(value !== undefined && { segment, value }),
    ...(named && { reason: named.code }),
  };
}

export function offerFilters(looked: Looked): void {
  const { results, of, surveys, view } = looked;
  const parts = [...partsOf(results.survey.type)].reverse();
  const offered = [{ tone: '', name: 'All ratings' }, ...parts];
  show(ratings, html`${offered.map(({ tone, name }) => html`<option value="${tone}">${name}</option>`)}`);
  ratings.value = parts.find(({ tone }) => tone === view.ratings)?.tone ?? '';
  const reasons = reasonsOffered(of, results);
  const options = [{ code: '', label: 'All reasons' }, ...reasons].map(
    ({ code, label }) => html`<option value="${code}">${label}</option>`,
  );
  show(reason, html`${options}`);
  reason.value = filtersAsked(looked).reason ?? '';
  if (reason.parentElement) reason.parentElement.hidden = reasons.length === 0;
  states.value = view.state ?? 'open';
  contactsOf.value = view.contacts === 'all' ? 'all' : '';
  if (contactsOf.parentElement) contactsOf.parentElement.hidden = surveys.length < 2;
  when.value = view.when === 'all' ? 'all' : '';
  order.value = view.sort === 'newest' ? 'newest' : '';
}

export const filtersChosen = () => ({
  ratings: ratings.value || undefined,
  reason: reason.value || undefined,
  state: states.value === 'open' ? undefined : states.value,
  contacts: contactsOf.value || undefined,
  when: when.value || undefined,
  sort: order.value || undefined,
});
