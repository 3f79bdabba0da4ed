/** What an answer tells of the person who gave it. */

import type { Comment } from '../../../shared/contract/results-schemas.ts';
import { type Html, html } from '../../html.ts';
import { addressOf } from '../address.ts';
import { type Sources, saidUnder } from '../said-under.ts';
import type { Asked, Survey } from './controls.ts';

/**
 * The person, where somebody may write to them.
 * @param before what stands before the address
 */
export function whom(answer: Comment, before = html``): Html {
  const address = addressOf(answer);
  return address === undefined ? html`` : html`<p class="person about">${before}${address}</p>`;
}

/**
 * What the answer says in the survey's segments, and what the server says of its turn.
 * @param asked what all that are listed say
 */
export function facts(answer: Comment, of: Survey | undefined, asked: Partial<Asked> = {}): Html {
  const sources: Sources = of?.segmentSources ?? {};
  const bySegment = (of?.segments ?? [])
    .filter((name) => name !== 'identityKind' && sources[name] !== 'label')
    .map((name) => [name, saidUnder(name, answer, sources)] as const);
  const said = [...bySegment, ...Object.entries(answer.labels ?? {})].flatMap(([name, value]) =>
    value === null || (name === asked.segment && String(value) === asked.value)
      ? []
      : [
          html`<span class="fact"><bdi>${typeof value === 'string' ? html`<span class="roomy">${name}: </span>` : `${name}: `}${String(value)}</bdi></span>`,
        ],
  );
  return said.length === 0 ? html`` : html`<span class="facts">${said}</span>`;
}
