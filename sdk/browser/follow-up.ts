/** What is fetched where something may be asked after the rating. */

import { FOLLOW_UP_STRINGS } from '../../shared/words/strings.ts';
import type { AnswerDetail } from './ask.ts';
import { drawing, element } from './element.ts';
import css from './follow-up.css';
import type { LocalisedSurvey } from './texts.ts';

/** What is asked after the rating: a few words and, when it is low, the wish to be contacted. */
export interface FollowUp {
  readonly step: HTMLElement;
  /** What it asks. */
  readonly said: string;
  /** What a person who steers by keyboard goes on in. */
  readonly first: HTMLElement;
  /** Shows what was chosen, on the button that goes back to it. */
  readonly show: (sign: Element | null) => void;
  /** @param isLow whether the wish was to be seen */
  readonly detail: (isLow: boolean) => AnswerDetail;
}

/**
 * @param host in whose shadow root it will be
 * @param survey without a follow-up question only the wish is asked for
 * @param given words in place of the English ones
 * @param isAnonymous whether who wishes it must leave an address
 * @param goBack called by the button that goes back
 */
export async function createFollowUp(
  host: HTMLElement,
  survey: LocalisedSurvey,
  given: Partial<typeof FOLLOW_UP_STRINGS>,
  isAnonymous: boolean,
  goBack: () => void,
): Promise<FollowUp> {
  const words = { ...FOLLOW_UP_STRINGS, ...given };
  const question = survey.followUpQuestion;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  host.shadowRoot?.adoptedStyleSheets.push(sheet);
  const text = element('textarea', { id: 't', maxLength: 5_000, dir: 'auto' });
  const contact = element('input', { type: 'checkbox' });
  const address = element('input', { type: 'email', maxLength: 256 });
  const back = element('button', {
    type: 'button',
    className: 'back',
    onclick: goBack,
  });
  // Without what cannot be fetched words are asked for all the same.
  const fetched = survey.reasons && (await import('./chips.ts').catch(() => undefined));
  const chips = fetched?.createChips(host, survey);
  const asked = question ? [element('label', { className: 'title', htmlFor: 't' }, question)] : [];
  return {
    step: element(
      'div',
      { className: 'more' },
      back,
      ...asked,
      chips?.field ?? '',
      question ? text : '',
      element('label', { className: 'contact' }, contact, words.contact),
      isAnonymous ? element('label', { className: 'address' }, words.contactAddress, address) : '',
    ),
    said: question ?? words.contact,
    first: question ? text : contact,
    show(sign) {
      back.ariaLabel = `${words.back} ${sign?.textContent ?? ''}`;
      back.replaceChildren(drawing('M15 5l-7 7 7 7'), sign?.cloneNode(true) ?? '');
    },
    detail(isLow) {
      const wish = isLow ? contact.checked : undefined;
      return {
        text: text.value || undefined,
        reasons: isLow ? chips?.chosen() : undefined,
        followUpRequested: wish,
        contact: (wish && address.value) || undefined,
      };
    },
  };
}
