import type { AnswerDetail } from './ask.ts';
import { CIRCLE, drawing, element } from './element.ts';
import { createFocus } from './focus.ts';
import { followUp } from './follow-up.ts';
import { isLowScore } from './low-score.ts';
import type { Present } from './options.ts';
import { createPanel } from './panel.ts';
import { scaleField } from './scale.ts';
import { STRINGS } from './strings.ts';
import { languageOf } from './texts.ts';
import { ANNOUNCE_MS, LEAVE_MS, THANKS_MS } from './times.ts';
import { fetchWords } from './words.ts';

export { createAsking } from './asking.ts';

/** Draws an ask in a shadow root of its own, which ends it as the person decides. */
export const present: Present = async (ask, place, { locale, theme, strings }, signal) => {
  const { survey } = ask;
  const { presentation, question, followUpQuestion = '' } = survey;
  const language = languageOf(locale);
  const spoken = await fetchWords(language);
  // The survey's own words come before those of the page, and these before those of the language.
  const words = { ...STRINGS, ...spoken?.words, ...strings, ...survey.words };
  const { host, panel, status, form, close } = createPanel(survey, words, theme);
  const { giveBack, turn } = createFocus(panel);
  const send = element('button', { className: 'send', disabled: true }, words.send);
  const scale = scaleField(survey, words);
  // With its `signal` nothing of a past survey is held.
  const gone = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let detail = (): AnswerDetail => ({});

  const later = (ms: number, next: () => void) => {
    clearTimeout(timer);
    timer = setTimeout(next, ms);
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
  const keep = () => ask.draft(rating(), detail());

  const thank = () => {
    const { text = words.thanks, link: { url = '', label = '' } = {} } = survey.thanks ?? {};
    const onward =
      /^https?:/.test(url) && element('a', { className: 'send', href: url, target: '_blank' }, label);
    turn(() => {
      panel.classList.add('thanks');
      panel.prepend(drawing(`${CIRCLE}M8 12.5l3 3 5.5-6`));
      form.replaceWith(onward || '');
      status.className = 'title';
      status.textContent = text;
      return onward || close;
    }, giveBack);
    close.onclick = leave;
    // A link needs time.
    if (presentation !== 'inline' && !onward) leaveAfter(THANKS_MS);
    ask.answer(rating(), detail());
  };
  const askMore = () => {
    const low = isLowScore(survey.type, rating());
    if (!followUpQuestion && !low) return thank();
    const more = followUp(followUpQuestion, low, ask.anonymous, words);
    detail = more.detail;
    next = thank;
    keep();
    turn(() => {
      scale.replaceWith(...more.parts);
      return form.querySelector<HTMLElement>('textarea,input');
    });
    status.textContent = followUpQuestion || words.contact;
  };
  let next = askMore;

  form.append(scale, send);
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
  // The page's shortcuts are not meant by what is typed in here.
  panel.onkeyup = panel.onkeypress = (event) => event.stopPropagation();
  panel.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === 'Escape' && !event.isComposing) close.click();
  };

  // Else it is the place's.
  if (spoken) panel.dir = spoken.direction;
  panel.lang = survey.language ?? language;
  signal.addEventListener('abort', remove, gone);
  place.append(host);
  later(ANNOUNCE_MS, () => {
    status.textContent = `${words.region}: ${question}`;
  });
  return { host, remove };
};
