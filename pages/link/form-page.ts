/** The page on which a survey is answered: a form, and no script. */

import { SCALES, type Survey } from '../../shared/domain/surveys/survey.ts';
import { valueNames } from '../../shared/words/value-names.ts';
import { html, type Page } from '../html.ts';
import { localise } from './language.ts';
import { linkPage } from './page.ts';
import { pageWords } from './page-words.ts';

const drawing = (path: string, turn = 0) =>
  html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${path}" transform="rotate(${turn} 12 12)"/></svg>`;

/** As the widget draws it: how far the lip's middle hangs below its corners. */
const face = (smile: number) =>
  drawing(`M12 2a10 10 0 1 0 .01 0zM9 9.5v.01M15 9.5v.01M8 ${15 - smile / 2}q4 ${smile * 2} 8 0`);

const thumb = (isUp: boolean) =>
  drawing('M7 11v9H4v-9zl4-8q3 0 2.5 3L13 9h6q2 0 1.6 2l-1.4 7q-.4 2-2.2 2H7', isUp ? 0 : 180);
/** What assistive technology says in its own language where the survey has no words. */
const THUMBS = ['👎', '👍'];

/** @param chosen the rating that is chosen when the page opens */
export function formPage(survey: Survey, tags: readonly string[], chosen: string | undefined): Page {
  const { content, language } = localise(survey.content, tags);
  const { type, question, followUpQuestion, showBadge, endLabels, words } = content;
  const strings = { ...language.strings, ...words };
  const scaled = { type, scale: SCALES[type], ...(endLabels && { endLabels }), ...(words && { words }) };
  const names = valueNames(scaled, language.strings);
  const isWorded = type === 'pmf';
  const values = names.map(({ value, meaning: given, name }, at) => {
    const meaning = given ?? `${value}`;
    const sign = { nps: value, ces: value, pmf: meaning, csat: face(at - 2), thumbs: thumb(at > 0) }[type];
    const spoken = type === 'thumbs' ? (given ?? THUMBS[at] ?? '') : name;
    const label = isWorded ? meaning : spoken;
    const checked = chosen === `${value}` ? html` checked` : html``;
    return html`<label><input type="radio" name="rating" value="${value}" required aria-label="${label}"${checked}><span>${sign}</span></label>`;
  });
  const [low, high] = [names[0]?.meaning ?? '', names.at(-1)?.meaning ?? ''];
  const body = html`<form method="post">
<fieldset>
<legend><h1 class="title">${question}</h1></legend>
<div class="values ${type}">${isWorded ? values.reverse() : values}</div>
${isWorded ? '' : html`<div class="ends" aria-hidden="true"><span>${low}</span><span>${high}</span></div>`}
</fieldset>
<label class="title" for="t">${followUpQuestion ?? pageWords(language.spoken).comment}</label>
<textarea id="t" name="text" rows="3" maxlength="5000" dir="auto"></textarea>
<label class="title" for="c">${strings.contact}<span class="hint">${strings.contactAddress}</span></label>
<input id="c" type="email" name="contact" maxlength="256" autocomplete="email">
<button class="send">${strings.send}</button>
</form>
${showBadge === true ? html`<p class="badge">${strings.badge}</p>` : ''}`;
  return linkPage(language, question, body);
}
