import type { AnswerDetail } from '../ask.ts';
import { drawing, element } from '../element.ts';
import type { Present } from '../parts.ts';
import { putInto } from '../put-into.ts';
import { LEAVE_MS, THANKS_MS } from '../times.ts';
import { whenSeen } from '../when-seen.ts';
import { createControl } from './control.ts';
import { wordsFor } from './words.ts';

/**
 * Draws an ask of type `thumbs`, which a click on a thumb answers; thumb down asks for words first, where there are any
 * to ask.
 */
export const present: Present = async (ask, place, options, signal) => {
  const { survey } = ask;
  const { presentation, corner = 'bottom-right', question, followUpQuestion, reasons, showBadge } = survey;
  const { words, dress } = await wordsFor(survey, options);
  const gone = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const remove = () => {
    clearTimeout(timer);
    control.host.remove();
    gone.abort();
  };
  const leaveAfter = (ms: number) => {
    timer = setTimeout(() => (panel.matches(':hover,:focus-within') ? leaveAfter(ms) : remove()), ms);
  };
  let drafted: AnswerDetail | undefined;
  const answer = (rating: number, detail = drafted) => {
    control.say(survey.thanks?.text ?? words.thanks, true);
    for (const button of panel.querySelectorAll<HTMLButtonElement>('[aria-pressed]')) button.disabled = true;
    close.onclick = remove;
    if (presentation !== 'inline') leaveAfter(THANKS_MS);
    ask.answer(rating, detail);
  };
  const control = createControl(survey, words, (rating) => {
    clearTimeout(timer);
    control.press(rating);
    control.endMore();
    drafted = undefined;
    if (rating || !(followUpQuestion || reasons)) return answer(rating);
    ask.draft(rating);
    void control.askMore(
      (detail) => answer(rating, detail),
      (detail) => {
        drafted = detail;
        ask.draft(rating, detail);
      },
    );
    control.say(followUpQuestion ?? '');
  });
  const { panel, host } = control;
  const close = element(
    'button',
    { type: 'button', className: 'close', ariaLabel: words.close },
    drawing('M6 6l12 12M18 6L6 18'),
  );
  close.onclick = () => {
    remove();
    ask.dismiss();
  };
  panel.addEventListener('keydown', ({ key, isComposing }) => {
    if (key === 'Escape' && !isComposing) close.click();
  });
  panel.classList.add('boxed', presentation, corner);
  panel.prepend(element('span', { className: 'question', ariaHidden: 'true' }, question));
  panel.append(close, showBadge ? element('div', { className: 'badge' }, words.badge) : '');
  dress(panel);
  signal.addEventListener('abort', remove, gone);
  putInto(place, host, presentation);
  whenSeen(panel, gone, ask.shown);
  timer = setTimeout(() => control.say(`${words.region}: ${question}`), LEAVE_MS);
  return { host, remove };
};
