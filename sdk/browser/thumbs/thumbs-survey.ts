import type { AnswerDetail } from '../client/ask.ts';
import type { Kit } from '../client/kit.ts';
import type { Present } from '../client/modules.ts';
import { LEAVE_MS, THANKS_MS } from '../client/times.ts';
import { CIRCLE, putInto } from '../widget/element.ts';
import { glide } from '../widget/glide.ts';
import { whenSeen } from '../widget/when-seen.ts';
import { createControl, ENGLISH } from './control.ts';
import css from './thumbs-survey.css';

const ASKED = { ...ENGLISH, region: 'Feedback', close: 'Close', badge: 'Powered by Canvass' };

/**
 * Clicking a thumb answers. After a thumb down, the survey first asks for reasons or a comment, if it has such
 * questions.
 */
export const presentWith =
  (kit: Kit): Present =>
  async (ask, place, options, signal) => {
    const { drawing, element } = kit;
    const { survey } = ask;
    const { presentation, corner = 'bottom-right', question, followUpQuestion, reasons, showBadge } = survey;
    const asks = Boolean(followUpQuestion || reasons);
    const gone = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;

    const remove = () => {
      clearTimeout(timer);
      control.host.remove();
      gone.abort();
    };
    const leave = () => {
      clearTimeout(timer);
      panel.classList.add('leaving');
      timer = setTimeout(remove, LEAVE_MS);
    };
    const leaveAfter = (ms: number) => {
      timer = setTimeout(() => (panel.matches(':hover,:focus-within') ? leaveAfter(ms) : leave()), ms);
    };
    /** Measures the final size. */
    const arrive = () => {
      for (const moving of panel.getAnimations()) moving.finish();
    };
    let drafted: AnswerDetail | undefined;
    const answer = (rating: number, detail = drafted) => {
      arrive();
      ask.answer(rating, detail);
      if (panel.querySelector(':focus-visible')) close.focus();
      // Screen readers may ignore reinserted live regions.
      for (const part of [...panel.children]) if (part !== close && part !== voice) part.remove();
      panel.classList.remove('asks');
      panel.classList.add('thanks');
      panel.prepend(drawing(`${CIRCLE}M8 12l3 3 5-6`));
      control.say(survey.thanks?.text ?? control.words.thanks, 'said');
      close.onclick = leave;
      if (presentation !== 'inline') leaveAfter(THANKS_MS);
    };
    const control = await createControl(
      kit,
      survey,
      options,
      ASKED,
      (rating) => {
        if (!rating && host.className) return;
        clearTimeout(timer);
        arrive();
        control.press(rating);
        control.endMore();
        drafted = undefined;
        if (rating || !asks) return answer(rating);
        ask.draft(rating);
        void control.askMore(
          (detail) => answer(rating, detail),
          (detail) => {
            drafted = detail;
            ask.draft(rating, detail);
          },
        );
        control.say(followUpQuestion);
      },
      css,
    );
    const { panel, voice, host, words } = control;
    const close = element(
      'button',
      { className: 'close', ariaLabel: words.close },
      drawing('M7 7l10 10m0-10L7 17'),
    );
    close.onclick = () => {
      leave();
      ask.dismiss();
    };
    panel.addEventListener('keydown', ({ key, isComposing }) => {
      if (key === 'Escape' && !isComposing) close.click();
    });
    panel.classList.add('boxed', presentation, corner);
    panel.classList.toggle('asks', asks);
    panel.prepend(element('span', { className: 'question', ariaHidden: 'true' }, question));
    panel.append(close, showBadge ? element('div', { className: 'badge' }, words.badge) : '');
    signal.addEventListener('abort', remove, gone);
    putInto(place, host, presentation);
    glide(panel, panel);
    whenSeen(panel, gone, ask.shown);
    timer = setTimeout(() => control.say(`${words.region}: ${question}`), LEAVE_MS);
    return { host, remove };
  };
