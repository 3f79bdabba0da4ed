import type { AnswerDetail, Ask } from './ask.ts';
import { element } from './element.ts';
import { isLowScore } from './low-score.ts';
import { scaleField } from './scale.ts';
import { STRINGS } from './strings.ts';
import { ANNOUNCE_MS, THANKS_MS } from './times.ts';
import css from './widget.css';
import type { Appearance } from './widget-options.ts';

export { openAsk } from './open-ask.ts';

/** Draws an ask in a shadow root of its own, which ends it as the person decides. @returns what was put into the page */
export function present(
  ask: Ask,
  into: Element,
  { theme, strings }: Appearance,
  signal: AbortSignal,
): Element {
  const { survey } = ask;
  const { presentation, type, followUpQuestion } = survey;
  const words = { ...STRINGS, ...strings };
  const status = element('p', { role: 'status', class: 'unseen' });
  const send = element('button', { class: 'send', disabled: '' }, words.send);
  const form = element('form', { tabindex: '-1' }, scaleField(survey, words), send);
  const close = element('button', { class: 'close', 'aria-label': words.close }, '×');
  const panel = element(
    'section',
    {
      'aria-label': words.region,
      class: `panel ${presentation}`,
      dir: getComputedStyle(into).direction,
      lang: survey.language ?? '',
    },
    status,
    form,
    survey.showBadge ? element('small', {}, words.badge) : '',
    close,
  );
  let cameFrom: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const giveBack = () => {
    if (panel.matches(':focus-within')) cameFrom?.focus({ preventScroll: true });
  };
  const remove = () => {
    giveBack();
    host.remove();
  };
  /** Changes what may have the focus: who steers by keyboard goes on at `next`. */
  const turnTo = (next: HTMLElement, change: () => void, otherwise: () => void) => {
    const steering = form.querySelector(':focus-visible');
    if (!steering) otherwise();
    change();
    panel.scrollTop = 0;
    if (steering) next.focus();
  };
  const wait = () => {
    timer = setTimeout(() => (panel.matches(':hover,:focus-within') ? wait() : remove()), THANKS_MS);
  };
  const answer = (rating: number, detail?: AnswerDetail) => {
    clearTimeout(timer);
    turnTo(
      close,
      () => {
        form.remove();
        status.className = 'title';
        status.textContent = words.thanks;
      },
      giveBack,
    );
    close.onclick = remove;
    if (presentation !== 'inline') wait();
    ask.answer(rating, detail);
  };
  /** The rating is given; what follows may be added to it, and leaving sends it as it is. */
  const followUp = (rating: number) => {
    const low = isLowScore(type, rating);
    if (!followUpQuestion && !low) return answer(rating);
    const text = element('textarea', { id: 't', rows: '3', maxlength: '5000', dir: 'auto' });
    const contact = element('input', { type: 'checkbox' });
    const detail = () => ({
      text: text.value || undefined,
      followUpRequested: low ? contact.checked : undefined,
    });
    const keep = () => ask.draft(rating, detail());
    keep();
    form.oninput = keep;
    next = () => answer(rating, detail());
    turnTo(
      followUpQuestion ? text : contact,
      () =>
        form.replaceChildren(
          followUpQuestion ? element('label', { class: 'title', for: 't' }, followUpQuestion) : '',
          followUpQuestion ? text : '',
          low ? element('label', { class: 'contact' }, contact, words.contact) : '',
          send,
        ),
      () => form.focus(),
    );
  };
  let next = () => followUp(Number(form.querySelector<HTMLInputElement>(':checked')?.value));

  form.oninput = () => {
    send.disabled = false;
  };
  // The second click of a double one is not meant for what the first has brought.
  send.onclick = ({ detail }) => detail < 2;
  form.onsubmit = (event) => {
    event.preventDefault();
    next();
  };
  close.onclick = () => {
    remove();
    ask.dismiss();
  };
  panel.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget && !panel.contains(relatedTarget as Node)) cameFrom = relatedTarget as HTMLElement;
  });
  // The page's shortcuts are not meant by what is typed in here.
  panel.onkeyup =
    panel.onkeypress =
    panel.onkeydown =
      (event) => {
        event.stopPropagation();
        if (event.type === 'keydown' && event.key === 'Escape' && !event.isComposing) close.click();
      };

  const host = document.createElement('canvass-survey');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  root.append(panel);
  panel.style.colorScheme = theme === 'auto' ? '' : (theme ?? '');
  if (presentation === 'corner') {
    for (const side of (survey.corner ?? 'bottom-right').split('-'))
      panel.style[side as 'top'] = 'max(8px,1.2vw)';
  }
  signal.addEventListener('abort', remove);
  into.append(host);
  timer = setTimeout(() => {
    status.textContent = `${words.region}: ${survey.question}`;
  }, ANNOUNCE_MS);
  return host;
}
