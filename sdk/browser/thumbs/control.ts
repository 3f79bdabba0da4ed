import type { AnswerDetail } from '../ask.ts';
import { drawing, element } from '../element.ts';
import type { LocalisedSurvey } from '../texts.ts';
import css from './thumbs.css';
import type { ThumbsWords } from './words.ts';

/** Two toggle buttons in a shadow root of their own, thumb up and thumb down, and room for a few words below. */
export interface Control {
  /** What is put into the page. */
  readonly host: HTMLElement;
  readonly panel: HTMLElement;
  /** Shows which is pressed; undefined: none. */
  readonly press: (rating: number | undefined) => void;
  /**
   * Asks for reasons and words. What is sent, or undefined when the person closes it, goes to `told`, and to `picked` what
   * there is whenever a reason is chosen.
   */
  readonly askMore: (
    told: (said: AnswerDetail | undefined) => void,
    picked: (said: AnswerDetail) => void,
  ) => Promise<void>;
  /** Takes that away again. */
  readonly endMore: () => void;
  /** Says something to assistive technology, and to everybody where it is to be seen. */
  readonly say: (text: string, seen?: boolean) => void;
}

const THUMB =
  'M7 11v9H4.5A1.5 1.5 0 0 1 3 18.5v-6A1.5 1.5 0 0 1 4.5 11zl3.6-7.2c1.5 0 2.4 1 2.4 2.4V9h5.2a2 2 0 0 1 2 2.3l-1.1 7a2 2 0 0 1-2 1.7H7';

const fetchMore = () => import('./more.ts').catch(() => undefined);

/** @param chosen told of a thumb that is clicked: 0 is down, 1 is up */
export function createControl(
  survey: LocalisedSurvey,
  words: ThumbsWords,
  chosen: (rating: number) => void,
): Control {
  const { question, followUpQuestion, reasons } = survey;
  const buttons = words.thumbs.map((name, value) =>
    element(
      'button',
      {
        type: 'button',
        className: value ? 'up' : 'down',
        title: name,
        ariaLabel: name,
        ariaPressed: 'false',
        onclick: () => chosen(value),
      },
      drawing(THUMB),
    ),
  );
  const status = element('p', { role: 'status', className: 'said' });
  const panel = element('section', { role: 'group', ariaLabel: question, className: 'thumbs' });
  panel.append(...[...buttons].reverse(), status);
  const host = document.createElement('canvass-survey');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  root.append(panel);

  let more: HTMLElement | undefined;
  let asked = 0;
  const endMore = () => {
    asked++;
    // The focus stays in the control.
    if (more?.matches(':focus-within')) buttons[0]?.focus();
    more?.remove();
    more = undefined;
  };
  if (followUpQuestion || reasons) void fetchMore();
  // The page's shortcuts are not meant by what is typed in here.
  panel.onkeyup = panel.onkeypress = panel.onkeydown = (event) => event.stopPropagation();

  return {
    host,
    panel,
    press(rating) {
      for (const [value, button] of buttons.entries()) button.ariaPressed = `${rating === value}`;
    },
    async askMore(told, picked) {
      endMore();
      const mine = asked;
      const end = (said?: AnswerDetail) => {
        endMore();
        told(said);
      };
      const made = await (await fetchMore())?.createMore(host, survey, words, end, picked);
      // Meanwhile another thumb may have been chosen.
      if (mine !== asked) return;
      if (!made) return told(undefined);
      more = made;
      panel.append(made);
    },
    endMore,
    say(text, seen = false) {
      status.className = seen ? 'said seen' : 'said';
      status.textContent = text;
    },
  };
}
