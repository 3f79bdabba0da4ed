import { STRINGS } from '../../shared/words/strings.ts';
import type { AnswerDetail } from './ask.ts';
import { boxed } from './box.ts';
import { CIRCLE, drawing, element } from './element.ts';
import { isLowScore } from './low-score.ts';
import type { Present } from './parts.ts';
import { scaleField } from './scale.ts';
import { languageOf } from './texts.ts';
import { ANNOUNCE_MS, LEAVE_MS, THANKS_MS } from './times.ts';
import { whenSeen } from './when-seen.ts';

/** Draws an ask in a shadow root of its own, which ends it as the person decides. */
export const present: Present = async (ask, place, { locale, theme = 'auto', strings }, signal) => {
  const { survey } = ask;
  const { presentation, corner = 'bottom-right', question, followUpQuestion = '' } = survey;
  const language = languageOf(locale);
  // A survey with a few English words is better than none.
  const spoken = /^en\b/i.test(language)
    ? undefined
    : await import('./languages.ts').then(({ wordsIn }) => wordsIn(language)).catch(() => undefined);
  // The survey's own words come before those of the page, and these before those of the language.
  const words = { ...STRINGS, ...spoken?.words, ...strings, ...survey.words };
  const scale = scaleField(survey, words);
  const send = element('button', { className: 'send', disabled: true }, words.send);
  const form = element('form', {}, scale, send);
  const close = element('button', { className: 'close', ariaLabel: words.close }, '×');
  /** Speaks to assistive technology. */
  const status = element('p', { role: 'status', className: 'unseen' });
  const panel = element(
    'section',
    { ariaLabel: words.region, className: `panel ${presentation} ${corner}` },
    status,
    form,
    survey.showBadge ? element('div', { className: 'ends' }, words.badge) : '',
    close,
  );
  const host = boxed(panel);
  // With its `signal` nothing of a past survey is held.
  const gone = new AbortController();
  let cameFrom: HTMLElement | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const text = element('textarea', { id: 't', maxLength: 5_000, dir: 'auto' });
  const contact = element('input', { type: 'checkbox' });
  const address = element('input', { type: 'email', maxLength: 256 });
  let low = false;

  const later = (ms: number, next: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(next, ms);
  };
  /** The focus goes back to where in the page it came from, if it is inside. */
  const giveBack = () => {
    if (panel.matches(':focus-within')) cameFrom?.focus({ preventScroll: true });
  };
  /** Makes the next step of this one. Somebody who steers by keyboard goes on in what `change` returns. */
  const turn = (change: () => HTMLElement | null, otherwise?: () => void) => {
    const isSteering = panel.querySelector(':focus-visible');
    if (!isSteering) otherwise?.();
    // The steps are as high as the one before, so that nothing jumps.
    panel.style.minHeight = `min(${panel.offsetHeight}px,90vh)`;
    const next = change();
    panel.scrollTop = 0;
    if (isSteering) next?.focus();
  };
  const remove = () => {
    clearTimeout(timer);
    giveBack();
    host.remove();
    gone.abort();
  };
  /** Takes the box away as it came: not at once. */
  const leave = () => {
    panel.classList.add('leaving');
    later(LEAVE_MS, remove);
  };
  const leaveAfter = (ms: number) =>
    later(ms, () => (panel.matches(':hover,:focus-within') ? leaveAfter(ms) : leave()));
  const rating = () => Number(scale.querySelector<HTMLInputElement>(':checked')?.value);
  const detail = (): AnswerDetail => ({
    text: text.value || undefined,
    followUpRequested: low ? contact.checked : undefined,
    contact: (contact.checked && address.value) || undefined,
  });
  const keep = () => ask.draft(rating(), detail());

  const thank = () => {
    const { text: thanks = words.thanks, link } = survey.thanks ?? {};
    const onward =
      link &&
      /^https?:/.test(link.url) &&
      element('a', { className: 'send', href: link.url, target: '_blank' }, link.label);
    turn(() => {
      panel.classList.add('thanks');
      panel.prepend(drawing(`${CIRCLE}M8 12.5l3 3 5.5-6`));
      form.replaceWith(onward || '');
      status.className = 'title';
      status.textContent = thanks;
      return onward || close;
    }, giveBack);
    close.onclick = leave;
    // A link needs time.
    if (presentation !== 'inline' && !onward) leaveAfter(THANKS_MS);
    ask.answer(rating(), detail());
  };
  const askMore = () => {
    low = isLowScore(survey.type, rating());
    if (!followUpQuestion && !low) return thank();
    next = thank;
    keep();
    turn(() => {
      scale.replaceWith(
        followUpQuestion &&
          element('div', {}, element('label', { className: 'title', htmlFor: 't' }, followUpQuestion), text),
        low ? element('label', { className: 'contact' }, contact, words.contact) : '',
        low && ask.anonymous ? element('label', { className: 'address' }, words.contactAddress, address) : '',
      );
      return form.querySelector<HTMLElement>('textarea,input');
    });
    status.textContent = followUpQuestion || words.contact;
  };
  let next = askMore;

  form.oninput = () => {
    send.disabled = false;
    keep();
  };
  // Not by `submit`, which a sandboxed frame may not allow. The second click of a double one is not meant for what the
  // first has brought.
  send.onclick = (event) => {
    event.preventDefault();
    clearTimeout(timer);
    if (event.detail < 2) next();
  };
  close.onclick = () => {
    leave();
    ask.dismiss();
  };
  panel.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !panel.contains(relatedTarget)) cameFrom = relatedTarget;
  });
  // The page's shortcuts are not meant by what is typed in here.
  panel.onkeyup = panel.onkeypress = (event) => event.stopPropagation();
  panel.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && !event.isComposing) close.click();
  };

  // Else they are the page's and the place's.
  if (theme !== 'auto') panel.style.colorScheme = theme;
  if (spoken) panel.dir = spoken.direction;
  panel.lang = survey.language ?? language;
  signal.addEventListener('abort', remove, gone);
  place.append(host);
  whenSeen(panel, gone.signal, ask.shown);
  later(ANNOUNCE_MS, () => {
    status.textContent = `${words.region}: ${question}`;
  });
  return { host, remove };
};
