/** Loaded on demand after a thumb down. */

import type { Strings } from '../../../shared/words/strings.ts';
import type { AnswerDetail } from '../client/ask.ts';
import type { LocalisedSurvey } from '../client/survey.ts';
import { element } from '../widget/element.ts';
import { hush } from '../widget/hush.ts';
import css from './more.css';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

/**
 * @param told receives undefined if the person closes it
 * @param picked receives the details after each choice of a reason
 */
export async function createMore(
  host: HTMLElement,
  survey: LocalisedSurvey,
  { send: label }: Pick<Strings, 'send'>,
  told: (said?: AnswerDetail) => void,
  picked: (said: AnswerDetail) => void,
): Promise<HTMLElement> {
  const { followUpQuestion, reasons } = survey;
  const fetched = reasons && (await import('../widget/chips.ts').catch(() => undefined));
  const { adoptedStyleSheets: sheets = [] } = host.shadowRoot ?? {};
  if (!sheets.includes(sheet)) sheets.push(sheet);
  const chips = fetched?.createChips(host, survey);
  const text = element('textarea', { id: 't', rows: 2, maxLength: 5_000, dir: 'auto' });
  const detail = () => ({ text: text.value || undefined, reasons: chips?.chosen() });
  if (chips) chips.field.onchange = () => picked(detail());
  const send = element('button', { className: 'send', onclick: () => told(detail()) }, label);
  const made = element(
    'div',
    {
      className: 'more',
      onkeydown: (event) => {
        if (event.key === 'Escape' && !event.isComposing) told();
      },
    },
    followUpQuestion ? element('label', { htmlFor: 't' }, followUpQuestion) : '',
    chips?.field ?? '',
    followUpQuestion ? text : '',
    send,
  );
  // A double click must not hit new content.
  let isMeant = false;
  made.addEventListener(
    'click',
    (event) => {
      isMeant ||= event.detail < 2;
      if (isMeant) return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  // The element blocks other surveys while it is open (idle-wait.ts).
  setTimeout(async () => {
    const panel = made.closest('section');
    if (panel) hush(host, panel);
    host.className = made.isConnected ? 'canvass-more' : '';
    const moving = made.parentElement?.getAnimations({ subtree: true }) ?? [];
    await Promise.allSettled(moving.map(({ finished }) => finished));
    const isMoving = matchMedia('(prefers-reduced-motion: no-preference)').matches;
    made.scrollIntoView({ block: 'nearest', behavior: isMoving ? 'smooth' : 'auto' });
  });
  return made;
}
