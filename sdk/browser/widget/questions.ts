/** The questions after the rating. Fetched once the rating is sent. */

import { QUESTION_STRINGS } from '../../../shared/words/question-strings.ts';
import type { Strings } from '../../../shared/words/strings.ts';
import type { Kit } from '../client/kit.ts';
import type { LocalisedSurvey, QuestionAnswers, SurveyQuestion } from '../client/survey.ts';
import type { FollowUp, ScaleStep } from './follow-up.ts';
import css from './questions.css';

interface Field {
  readonly parts: readonly HTMLElement[];
  readonly value: () => QuestionAnswers[string];
}

interface Step extends Pick<Field, 'value'> {
  readonly shown: HTMLElement;
  readonly place: HTMLElement;
}

/** @param own shows the follow-up step, which comes first */
export async function withQuestions(
  { drawing, element }: Kit,
  host: HTMLElement,
  survey: LocalisedSurvey,
  words: Partial<Pick<Strings, 'back' | 'next' | 'skip'>>,
  { panel, form, send, scale, voice, turn, wentBack }: ScaleStep,
  own: FollowUp,
): Promise<FollowUp> {
  const { createChips } = await import('./chips.ts');
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  host.shadowRoot?.adoptedStyleSheets.push(sheet);
  const language = panel.lang.slice(0, 2).toLowerCase().replace(/n[no]/, 'nb');
  const [next = '', skip = '', of] = (QUESTION_STRINGS[language] ?? 'Next|Skip|of').split('|');
  const last = send.textContent;
  const steps = new Map<string, Step>();
  /** The steps before the one on screen. */
  const before: Element[] = [];
  /** The place of the question on screen; -1 before the first. */
  let at = -1;

  const isOnScale = () => form.firstElementChild === scale;
  const asked = () => {
    const rating = Number(scale.querySelector<HTMLInputElement>(':checked')?.value ?? 0);
    return survey.questions?.filter(({ ratings }) => ratings?.includes(rating) ?? true) ?? [];
  };
  const label = () => {
    const [question, following] = [asked()[at], asked()[at + 1]];
    const isSkipped = question && steps.get(question.id)?.value() === null;
    if (isOnScale() || !following) send.textContent = last;
    else send.textContent = isSkipped ? (words.skip ?? skip) : (words.next ?? next);
  };
  const turnTo = (shown: Element, said = '') => {
    turn(() => {
      form.firstElementChild?.replaceWith(shown);
      return shown.querySelector<HTMLElement>(':checked') ?? shown.querySelector('textarea,input');
    });
    voice.textContent = said;
    // Keeps the draft.
    form.dispatchEvent(new Event('input'));
  };
  const goBack = () => {
    const shown = before.pop() ?? scale;
    if (shown === scale) wentBack();
    at -= 1;
    turnTo(shown, asked()[at]?.text ?? (shown === scale ? survey.question : survey.followUpQuestion));
  };

  function fieldOf({ id, kind, text, choices, min = 0, max = 0, endLabels }: SurveyQuestion): Field {
    const title = element('label', { className: 'title', htmlFor: 'q' }, text);
    if (kind === 'text') {
      const field = element('textarea', { id: 'q', maxLength: 1_000, dir: 'auto' });
      return { parts: [title, field], value: () => (field.value.trim() ? field.value : null) };
    }
    const { low = '', high = '' } = endLabels ?? {};
    const values = Array.from({ length: max - min + 1 }, (_, place) => {
      const value = `${min + place}`;
      const end = place ? (min + place === max ? high : '') : low;
      const input = element('input', { type: 'radio', value, ariaLabel: end ? `${value}, ${end}` : value });
      return element('label', {}, input, element('span', {}, value));
    });
    const chips = createChips(host, { ...survey, reasons: choices, followUpQuestion: text });
    const field = choices
      ? chips.field
      : element('div', { className: 'values row', ariaLabel: text }, ...values);
    if (kind !== 'many') {
      field.role = 'radiogroup';
      for (const input of field.querySelectorAll('input')) Object.assign(input, { type: 'radio', name: id });
    }
    const ends = element('div', { className: 'ends', ariaHidden: 'true' });
    ends.append(element('span', {}, low), element('span', {}, high));
    return {
      parts: [title, field, ...(endLabels ? [ends] : [])],
      value() {
        if (choices) return (kind === 'one' ? chips.chosen()?.[0] : chips.chosen()) ?? null;
        const chosen = field.querySelector<HTMLInputElement>(':checked');
        return chosen && Number(chosen.value);
      },
    };
  }

  function ask(): void {
    at += 1;
    const questions = asked();
    const question = questions[at];
    if (!question) return;
    let step = steps.get(question.id);
    if (!step) {
      const { parts, value } = fieldOf(question);
      const back = element('button', { type: 'button', className: 'back', onclick: goBack });
      back.append(drawing('M15 6l-6 6 6 6'), element('span', {}, words.back ?? 'Back'));
      const place = element('span', {});
      const bar = element('div', { className: 'step' }, back, place);
      step = { value, place, shown: element('div', { className: 'more asked' }, bar, ...parts) };
      steps.set(question.id, step);
    }
    const { length } = questions;
    step.place.textContent = length > 1 ? `${at + 1} ${of} ${length}` : '';
    turnTo(step.shown, `${step.place.textContent} ${question.text}`);
  }

  form.addEventListener('input', label);
  form.addEventListener('click', label);
  // Handles clicks before Send does.
  send.addEventListener(
    'click',
    (event) => {
      if (event.defaultPrevented || event.detail > 1 || isOnScale() || !asked()[at + 1]) return;
      event.preventDefault();
      event.stopPropagation();
      before.push(...[...form.children].slice(0, 1));
      ask();
    },
    true,
  );
  // A key that is held down must not go on to the next question or change its answer.
  panel.addEventListener(
    'keydown',
    (event) => {
      const isText = event.target instanceof HTMLTextAreaElement;
      if (event.repeat && !isText && /^( |Enter)$/.test(event.key)) event.preventDefault();
    },
    true,
  );

  return {
    show() {
      before.length = 0;
      at = -1;
      if (survey.followUpQuestion || form.className) {
        own.show();
        label();
      } else if (asked().length > 0) ask();
      else send.click();
    },
    detail(low) {
      const seen = asked().flatMap(({ id }) => {
        const step = steps.get(id);
        return step ? [[id, step.value()] as const] : [];
      });
      return { ...own.detail(low), answers: Object.fromEntries(seen) };
    },
  };
}
