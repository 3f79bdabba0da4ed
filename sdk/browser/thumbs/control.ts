import type { Strings } from '../../../shared/words/strings.ts';
import type { AnswerDetail } from '../client/ask.ts';
import type { Kit } from '../client/kit.ts';
import type { Appearance, ClientOptions } from '../client/options.ts';
import type { LocalisedSurvey } from '../client/survey.ts';
import css from './thumbs.css';

export const ENGLISH: Required<Pick<Strings, 'send' | 'thanks' | 'thumbs'>> = {
  send: 'Send',
  thanks: 'Thank you!',
  thumbs: ['Not helpful', 'Helpful'],
};

/** Toggle buttons in a shadow root, with room for words below. */
export interface Control<Words> {
  readonly host: HTMLElement;
  readonly panel: HTMLElement;
  readonly voice: HTMLElement;
  readonly words: Words;
  readonly press: (rating: number | undefined) => void;
  /** `told` receives undefined if the person closes it. `picked` receives the details after each choice of a reason. */
  readonly askMore: (
    told: (said: AnswerDetail | undefined) => void,
    picked: (said: AnswerDetail) => void,
  ) => Promise<void>;
  readonly endMore: () => void;
  readonly say: (text?: string, look?: 'said' | 'unseen') => void;
}

const THUMB = 'M7 11v9H3v-9zl4-7c1 0 2 1 2 2v3h6c1 0 2 1 2 2l-1 7c0 1-1 2-2 2H7';

const fetchMore = () => import('./more.ts').catch(() => undefined);

/**
 * @param chosen 0 is down, 1 is up
 * @param further rules
 */
export async function createControl<Words extends typeof ENGLISH>(
  kit: Kit,
  survey: LocalisedSurvey,
  options: ClientOptions & Appearance,
  english: Words,
  chosen: (rating: number) => void,
  ...further: string[]
): Promise<Control<Words>> {
  const { element } = kit;
  const { question, followUpQuestion, reasons, endLabels } = survey;
  const { host, panel, voice, words } = await kit.createBox(survey, options, english, css, ...further);
  const { values = words.thumbs } = words;
  const buttons = [endLabels?.low ?? values[0], endLabels?.high ?? values[1]].map((name = '', value) =>
    element(
      'button',
      {
        className: value ? 'up' : 'down',
        title: name,
        ariaLabel: name,
        ariaPressed: 'false',
        // The second click of a double click does not count as another choice.
        onclick: (event: MouseEvent) => event.detail > 1 || chosen(value),
      },
      kit.drawing(THUMB),
    ),
  );
  panel.role = 'group';
  panel.ariaLabel = question;
  panel.className = 'thumbs';
  panel.append(...buttons.toReversed(), voice);

  let more: HTMLElement | undefined;
  let asked = 0;
  const endMore = () => {
    asked++;
    if (more?.matches(':focus-within')) buttons[0]?.focus();
    more?.remove();
    host.className = '';
  };
  if (followUpQuestion || reasons) void fetchMore();

  return {
    host,
    panel,
    voice,
    words,
    press(rating) {
      for (const [value, button] of buttons.entries()) button.ariaPressed = `${rating === value}`;
    },
    async askMore(told, picked) {
      const mine = asked;
      const end = (said?: AnswerDetail) => {
        endMore();
        told(said);
      };
      const made = await (await fetchMore())?.createMore(host, survey, words, end, picked);
      // The person chose the other thumb in the meantime.
      if (mine !== asked) return;
      more = made;
      if (made) panel.append(made);
      else told(undefined);
    },
    endMore,
    say(text = '', look = 'unseen') {
      voice.className = look;
      voice.textContent = text;
    },
  };
}
