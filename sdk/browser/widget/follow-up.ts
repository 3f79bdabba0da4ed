/** Fetched once a survey is visible. */

import { FOLLOW_UP_STRINGS } from '../../../shared/words/strings.ts';
import type { AnswerDetail, Ask } from '../client/ask.ts';
import type { Kit } from '../client/kit.ts';
import type { Appearance } from '../client/options.ts';
import addressCss from './address.css';
import { createAddress } from './address.ts';
import type { Box } from './box.ts';
import css from './follow-up.css';
import { glide } from './glide.ts';
import { whenSeen } from './when-seen.ts';

export interface FollowUp {
  readonly show: () => void;
  /** @param low not empty if the contact checkbox was visible */
  readonly detail: (low: string) => AnswerDetail;
}

export interface ScaleStep extends Pick<Box<unknown>, 'panel' | 'voice'> {
  readonly form: HTMLFormElement;
  readonly send: HTMLElement;
  readonly scale: HTMLElement;
  /** Keyboard users continue in the returned element. */
  readonly turn: (change: () => HTMLElement | null | undefined) => void;
  readonly wentBack: () => void;
  readonly options: Pick<Appearance, 'strings'>;
}

const begun = new WeakSet<Element>();

/** The follow-up step also calls this, possibly for a panel that was already set up. */
function begin(panel: HTMLElement, form: Element): void {
  if (begun.has(panel)) return;
  begun.add(panel);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css + addressCss);
  const root = panel.getRootNode();
  if (root instanceof ShadowRoot) root.adoptedStyleSheets.push(sheet);
  glide(panel, form);
}

export function shown(
  panel: HTMLElement,
  form: Element,
  ended: Pick<AbortController, 'signal'>,
  seen: () => void,
): void {
  whenSeen(panel, ended, seen);
  begin(panel, form);
}

/**
 * @param ask without a follow-up question, it offers only contact
 * @param given replace the English words
 */
export async function createFollowUp(
  { drawing, element }: Kit,
  host: HTMLElement,
  { survey, anonymous }: Pick<Ask, 'survey' | 'anonymous'>,
  given: Partial<typeof FOLLOW_UP_STRINGS>,
  { panel, form, send, scale, voice, turn, wentBack, options }: ScaleStep,
): Promise<FollowUp> {
  void import('./hush.ts').then(({ hush }) => hush(host, panel)).catch(() => undefined);
  begin(panel, form);
  const words = { ...FOLLOW_UP_STRINGS, ...given };
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
  const fetched = survey.reasons && (await import('./chips.ts').catch(() => undefined));
  const chips = fetched?.createChips(host, survey);
  // Custom labels may ask for a phone number instead.
  const isEmail = !(survey.words?.contactAddress ?? options.strings?.contactAddress);
  const address = anonymous
    ? createAddress({ element, form, send, contact, voice }, words, isEmail)
    : undefined;
  let step: HTMLElement;
  return {
    show() {
      const question = survey.followUpQuestion;
      step = element(
        'div',
        { className: 'more' },
        back,
        question ? element('label', { className: 'title', htmlFor: 't' }, question) : '',
        chips?.field ?? '',
        question ? text : '',
        element('label', { className: 'contact' }, contact, words.contact),
        address?.row ?? '',
      );
      const sign = scale.querySelector(':checked+*');
      back.ariaLabel = `${words.back} ${sign?.textContent ?? ''}`;
      back.replaceChildren(drawing('M15 6l-6 6 6 6'), `${words.back} `, sign?.cloneNode(true) ?? '');
      // A banner keeps its width, and Send its position.
      const below = form.offsetTop + form.offsetHeight - send.offsetTop - send.offsetHeight;
      panel.style.setProperty('--cvw', getComputedStyle(panel).width);
      panel.style.setProperty('--cvd', `${below}px`);
      turn(() => {
        scale.replaceWith(step);
        return question ? text : contact;
      });
      voice.textContent = question ?? words.contact;
    },
    detail(low) {
      const wish = low ? contact.checked : undefined;
      return {
        text: (survey.followUpQuestion && text.value) || undefined,
        reasons: low ? chips?.chosen() : undefined,
        followUpRequested: wish,
        contact: (wish && address?.field.value) || undefined,
      };
    },
  };
}
