/** What is fetched once a survey is shown: what comes after the rating, be it words or thanks. */

import { FOLLOW_UP_STRINGS } from '../../../shared/words/strings.ts';
import type { AnswerDetail, Ask } from '../client/ask.ts';
import addressCss from './address.css';
import { createAddress } from './address.ts';
import { drawing, element } from './element.ts';
import css from './follow-up.css';
import { glide } from './glide.ts';

/** What is asked after the rating: a few words and, when it is low, the wish to be contacted. */
export interface FollowUp {
  /** Puts it in the place of the scale, which a button brings back. */
  readonly show: () => void;
  /** @param isLow whether the wish was to be seen */
  readonly detail: (isLow: boolean) => AnswerDetail;
}

/** What it stands in for, and where. */
export interface ScaleStep {
  readonly scale: HTMLElement;
  /** Speaks to assistive technology. */
  readonly voice: HTMLElement;
  /** Makes the next step of this one; somebody who steers by keyboard goes on in what `change` returns. */
  readonly turn: (change: () => HTMLElement | null | undefined) => void;
  readonly wentBack: () => void;
  /** Words that the page gives for every survey. */
  readonly strings: Partial<typeof FOLLOW_UP_STRINGS> | undefined;
}

const begun = new WeakSet<Element>();

/** Of a survey that is shown: what follows in its box, words or thanks, has its looks, and the box becomes as high as that. */
export function shown(panel: HTMLElement, form: Element): void {
  // Also where this was fetched only later, for the follow-up question.
  if (begun.has(panel)) return;
  begun.add(panel);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + addressCss);
  const root = panel.getRootNode();
  if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(sheet);
  glide(panel, form);
}

/**
 * @param host in whose shadow root it will be
 * @param ask without a follow-up question only the wish is asked for; who wishes it must leave an address if unnamed
 * @param given words in place of the English ones
 */
export async function createFollowUp(
  host: HTMLElement,
  { survey, anonymous }: Pick<Ask, 'survey' | 'anonymous'>,
  given: Partial<typeof FOLLOW_UP_STRINGS>,
  { scale, voice, turn, wentBack, strings }: ScaleStep,
): Promise<FollowUp> {
  const [panel, form] = [scale.closest('section'), scale.closest('form')];
  if (panel && form) shown(panel, form);
  const send = form?.querySelector<HTMLElement>('.send');
  const words = { ...FOLLOW_UP_STRINGS, ...given };
  const question = survey.followUpQuestion;
  const text = element('textarea', { id: 't', maxLength: 5_000, dir: 'auto' });
  const contact = element('input', { type: 'checkbox' });
  const back = element('button', {
    type: 'button',
    className: 'back',
    onclick() {
      wentBack();
      turn(() => {
        step.replaceWith(scale);
        return scale.querySelector<HTMLElement>(':checked');
      });
      voice.textContent = survey.question;
    },
  });
  // Without what cannot be fetched words are asked for all the same.
  const fetched = survey.reasons && (await import('./chips.ts').catch(() => undefined));
  const chips = fetched?.createChips(host, survey);
  // Who words the field anew may ask for a number.
  const isEmail = !(survey.words?.contactAddress ?? strings?.contactAddress);
  const address = anonymous && form ? createAddress({ form, contact, voice }, words, isEmail) : undefined;
  const asked = question ? [element('label', { className: 'title', htmlFor: 't' }, question)] : [];
  const step = element(
    'div',
    { className: 'more' },
    back,
    ...asked,
    chips?.field ?? '',
    question ? text : '',
    element('label', { className: 'contact' }, contact, words.contact),
    address?.row ?? '',
  );
  return {
    show() {
      // What was chosen stands on the button that goes back to it.
      const sign = scale.querySelector(':checked+*');
      back.ariaLabel = `${words.back} ${sign?.textContent ?? ''}`;
      back.replaceChildren(drawing('M15 6l-6 6 6 6'), `${words.back} `, sign?.cloneNode(true) ?? '');
      // A banner keeps its width, and Send its place.
      if (panel && form && send) {
        const below = form.offsetTop + form.offsetHeight - send.offsetTop - send.offsetHeight;
        panel.style.setProperty('--cvw', getComputedStyle(panel).width);
        panel.style.setProperty('--cvd', `${below}px`);
      }
      turn(() => {
        scale.replaceWith(step);
        return question ? text : contact;
      });
      voice.textContent = question ?? words.contact;
    },
    detail(isLow) {
      const wish = isLow ? contact.checked : undefined;
      return {
        text: text.value || undefined,
        reasons: isLow ? chips?.chosen() : undefined,
        followUpRequested: wish,
        contact: (wish && address?.field.value) || undefined,
      };
    },
  };
}
