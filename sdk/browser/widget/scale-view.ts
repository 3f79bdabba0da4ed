import { SCALE_STRINGS, type ScaleStrings } from '../../../shared/words/strings.ts';
import { valueNames } from '../../../shared/words/value-names.ts';
import type { Ask } from '../client/ask.ts';
import type { Kit } from '../client/kit.ts';
import type { Present } from '../client/modules.ts';
import { isLowOnScale } from '../client/survey.ts';
import { ANNOUNCE_MS, LEAVE_MS, THANKS_MS } from '../client/times.ts';
import { CIRCLE, putInto } from './element.ts';
import type { ScaleStep } from './follow-up.ts';
import type { Field } from './unscaled.ts';
import css from './widget.css';

/** @param smile how far the lip's middle is below its corners; the happiest mouth opens */
const face = (smile: number): string =>
  `${CIRCLE}M9 9v.01M15 9v.01M8 ${15 - smile}q4 ${smile * 4} 8 0${smile ** 2 > 1 ? 'z' : ''}`;

interface Looks {
  readonly css: string;
  readonly field?: (kit: Kit, ask: Ask, strings: ScaleStrings, host: HTMLElement) => Field | Promise<Field>;
}

/** Uses native radios: one Tab stop, arrow keys, and choosing sends nothing. */
function scaleField({ drawing, element }: Kit, { survey }: Ask, strings: ScaleStrings): Field {
  const { type, question } = survey;
  const names = valueNames(survey, strings);
  const worded = type === 'pmf';
  const values = names.map(({ value, meaning = `${value}`, name }, at) => {
    const input = element('input', {
      type: 'radio',
      name: 'r',
      value: `${value}`,
      ariaLabel: worded ? meaning : name,
      className: isLowOnScale(type, value) ? 'low' : '',
    });
    const sign = type === 'csat' ? drawing(face(at - 2)) : element('span', {}, worded ? meaning : `${value}`);
    return element('label', {}, input, sign);
  });
  const ends = [names[0], names.at(-1)].map((end) => element('span', {}, end?.meaning ?? ''));
  return [
    element(
      'fieldset',
      {},
      element('legend', { className: 'title' }, question),
      element(
        'div',
        { className: `values ${worded ? type : `row ${type}`}` },
        ...(worded ? values.reverse() : values),
      ),
    ),
    worded ? '' : element('div', { className: 'ends', ariaHidden: 'true' }, ...ends),
  ];
}

/** A survey works without the parts that cannot be loaded. */
const nothing = () => undefined;
const fetchMore = () => import('./follow-up.ts').catch(nothing);

export const presentWith =
  (kit: Kit): Present =>
  async (ask, place, options, signal) => {
    const { createBox, drawing, element } = kit;
    const { survey } = ask;
    const { presentation, corner = 'bottom-right', question, type } = survey;
    const isUnscaled = /choice|open/.test(type);
    const needsLooks = presentation === 'banner' || type === 'pmf';
    const looks: Looks | undefined = await (isUnscaled
      ? import('./unscaled.ts')
      : needsLooks
        ? import('./looks.ts').catch(nothing)
        : undefined);
    const { host, panel, voice, words } = await createBox(survey, options, SCALE_STRINGS, css, looks?.css);
    let [scale, ends, more] = await (looks?.field || scaleField)(kit, ask, words, host);
    const send = element('button', { className: 'send', disabled: true }, words.send);
    const form = element('form', {}, scale, ends, send);
    const close = element(
      'button',
      { className: 'close', ariaLabel: words.close },
      drawing('M7 7l10 10m0-10L7 17'),
    );
    panel.append(form, survey.showBadge ? element('div', { className: 'ends' }, words.badge) : '', close);
    panel.ariaLabel = words.region;
    panel.className = `${presentation} ${corner}`;
    const gone = new AbortController();
    let cameFrom: HTMLElement | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let questions = survey.questions;

    const later = (ms: number, next: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(next, ms);
    };
    const giveBack = () => {
      if (panel.matches(':focus-within')) cameFrom?.focus({ preventScroll: true });
    };
    const turn = (change: () => HTMLElement | null | undefined, otherwise?: () => void) => {
      const isSteering = panel.querySelector(':focus-visible');
      if (!isSteering) otherwise?.();
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
    const leave = () => {
      panel.className += ' leaving';
      later(LEAVE_MS, remove);
    };
    const leaveLater = () =>
      later(THANKS_MS, () => (panel.matches(':hover,:focus-within') ? leaveLater() : leave()));
    const answer = (): Parameters<Ask['answer']> => [
      Number(scale.querySelector<HTMLInputElement>(':checked')?.value ?? 0),
      more?.detail(form.className),
    ];
    const keep = () => ask.draft(...answer());

    const thank = () => {
      const { text: thanks = words.thanks, link } = survey.thanks ?? {};
      const onward =
        link &&
        /^https?:/.test(link.url) &&
        element('a', { className: 'send', href: link.url, target: '_blank' }, link.label);
      turn(() => {
        panel.className += ' thanks';
        panel.prepend(drawing(`${CIRCLE}M8 12l3 3 5-6`));
        form.replaceWith(onward || '');
        voice.className = 'title';
        voice.textContent = thanks;
        return onward || close;
      }, giveBack);
      close.onclick = leave;
      // Leaves time to follow a link.
      if (presentation !== 'inline' && !onward) leaveLater();
      ask.answer(...answer());
    };
    const step: ScaleStep = {
      panel,
      form,
      send,
      scale,
      voice,
      turn,
      options,
      wentBack() {
        next = askMore;
      },
    };
    const askMore = async (): Promise<void> => {
      next = thank;
      if (!(survey.followUpQuestion || form.className || survey.questions)) return thank();
      more ??= await (await fetchMore())?.createFollowUp(kit, host, ask, words, step);
      if (more && questions) {
        questions = undefined;
        const own = more;
        more = await import('./questions.ts').then(
          ({ withQuestions }) => withQuestions(kit, host, survey, words, step, own),
          () => own,
        );
      }
      // The survey may have been sent or closed in the meantime.
      if (!form.isConnected) return;
      if (!more) return thank();
      keep();
      more.show();
    };
    let next: () => unknown = askMore;

    form.oninput = () => {
      form.className = scale.querySelector(':checked')?.className ?? '';
      send.disabled = false;
      keep();
    };
    // Sandboxed frames may forbid `submit`. Double clicks must not hit new content.
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
    panel.addEventListener('keydown', ({ key, isComposing }) => {
      if (key === 'Escape' && !isComposing) close.click();
    });
    signal.addEventListener('abort', remove, gone);
    putInto(place, host, presentation);
    void fetchMore().then((next) => next?.shown(panel, form, gone, ask.shown));
    later(ANNOUNCE_MS, () => {
      voice.textContent = `${words.region}: ${question}`;
    });
    return { host, remove };
  };
