/** The form of a link page. It works without scripts. */

import type { Appearance } from '../../shared/domain/project.ts';
import { ANSWER_CHARACTERS } from '../../shared/domain/surveys/questions.ts';
import { orderedFor } from '../../shared/domain/surveys/sticky-hash.ts';
import {
  type FollowUp,
  hasScale,
  isLowRating,
  isWorded,
  knownChoices,
  type Survey,
  type SurveyQuestion,
  TYPES,
} from '../../shared/domain/surveys/survey.ts';
import { valueNames } from '../../shared/words/value-names.ts';
import { type Html, html, type Page, type Part } from '../html.ts';
import { localise } from './language.ts';
import { CIRCLE, drawing, languageMarks, linkPage } from './page.ts';

/** @param smile depth of the mouth; the two extreme mouths are open, as in the widget */
const face = (smile: number) =>
  drawing(`${CIRCLE}M9 9v.01M15 9v.01M8 ${15 - smile}q4 ${smile * 4} 8 0${smile ** 2 > 1 ? 'z' : ''}`);

const thumb = (isUp: boolean) =>
  drawing('M7 11v9H3v-9zl4-7c1 0 2 1 2 2v3h6c1 0 2 1 2 2l-1 7c0 1-1 2-2 2H7', isUp ? 0 : 180);

/** Shows the follow-up question of the chosen rating instead of the others. */
function followUpStyle(followUps: readonly FollowUp[]): string {
  const said = new Set<number>();
  const rules = followUps.map(({ ratings }, at) => {
    const own = ratings.filter((rating) => !said.has(rating));
    for (const rating of own) said.add(rating);
    const chosen = own.map((rating) => `[name=rating][value="${rating}"]:checked`);
    return `form:has(${chosen}) .ask>:not(.f${at}){display:none}form:has(${chosen}) .f${at}{display:block}`;
  });
  return rules.length === 0 ? '' : `.f{display:none}${rules.join('')}`;
}

const questionStyle = (questions: readonly SurveyQuestion[]): string =>
  questions
    .map(({ ratings }, at) => {
      const asking = ratings?.map((rating) => `[name=rating][value="${rating}"]:checked`);
      return asking === undefined ? '' : `form:not(:has(${asking})) .q${at}{display:none}`;
    })
    .join('');

/** The empty value tells a question that was skipped from one that the page did not have. */
function questionPart(question: SurveyQuestion, at: number, marks: Html, optional: string): Html {
  const { id, kind, text, choices = [], min = 0, max = 0, endLabels } = question;
  const name = `answers.${id}`;
  if (kind === 'text') {
    return html`<div class="q q${at}"${marks}><label for="q${at}"><bdi>${text}</bdi></label>
<textarea id="q${at}" name="${name}" rows="3" maxlength="${ANSWER_CHARACTERS}" dir="auto" placeholder="${optional}"></textarea></div>
`;
  }
  const input = (value: Part, label: string, shown: Part) =>
    html`<label><input type="${kind === 'many' ? 'checkbox' : 'radio'}" name="${name}" value="${value}" aria-label="${label}"><bdi>${shown}</bdi></label>`;
  const { low = '', high = '' } = endLabels ?? {};
  const numbers = Array.from({ length: max - min + 1 }, (_, index) => {
    const value = min + index;
    const end = value === min ? low : value === max ? high : '';
    return input(value, end ? `${value}, ${end}` : `${value}`, value);
  });
  const chips = choices.map(({ code, label }) => input(code, label, label));
  const ends = html`<div class="ends" aria-hidden="true"><span>${low}</span><span>${high}</span></div>`;
  const inputs =
    kind === 'scale'
      ? html`<div class="values num">${numbers}</div>${low || high ? ends : ''}`
      : html`<div class="why">${chips}</div>`;
  return html`<fieldset class="q q${at}"${marks}><legend><bdi>${text}</bdi></legend><input type="hidden" name="${name}">${inputs}</fieldset>
`;
}

export function formPage(
  survey: Survey,
  asker: Appearance,
  tags: readonly string[],
  chosen: string | undefined,
  respondentId = '',
): Page {
  const { content, language, asked } = localise(survey.content, tags);
  const {
    type,
    question,
    followUpQuestion,
    followUps = [],
    reasons = [],
    showBadge,
    endLabels,
    words,
    choices = [],
    questions = [],
    shuffle,
  } = content;
  const strings = { ...language.strings, ...words };
  const marks = languageMarks(asked, language);
  /** Each rating has words next to it, best first, as in the widget. */
  const worded = isWorded(type);
  const isOpen = type === 'open';
  const radio = (value: number, label: string, sign: Part) => {
    const checked = chosen === `${value}` ? html` checked` : html``;
    const low = isLowRating(survey, value) ? html` class="l"` : html``;
    return html`<label><input type="radio" name="rating" value="${value}" required aria-label="${label}"${low}${checked}><span>${sign}</span></label>`;
  };
  const scaled = { type, scale: TYPES[type].scale, ...(endLabels && { endLabels }), ...(words && { words }) };
  const isScale = hasScale(type);
  const names = isScale ? valueNames(scaled, asked.strings) : [];
  const ofScale = names.map(({ value, meaning: given, name }, at) => {
    const meaning = given ?? `${value}`;
    const thumbs = html`${thumb(at > 0)}${meaning}`;
    const signs = { numbers: value, words: meaning, faces: face(at - 2), thumbs, choices: '', text: '' };
    return radio(value, worded ? meaning : name, signs[TYPES[type].look]);
  });
  const codes = knownChoices(survey).map(({ code }) => code);
  const ordered = shuffle === true ? orderedFor(choices, respondentId, survey.id) : choices;
  const ofChoices = ordered.map(({ code, label }) =>
    radio(codes.indexOf(code), label, html`<bdi>${label}</bdi>`),
  );
  const values = type === 'choice' ? ofChoices : worded ? ofScale.reverse() : ofScale;
  const [low, high] = [names[0]?.meaning ?? '', names.at(-1)?.meaning ?? ''];
  const { comment: anything } = asked.linkPage;
  const { optional } = language.linkPage;
  // The follow-up question of most surveys fits low ratings only, so the style chooses which of the two labels is shown.
  const more =
    followUpQuestion || followUps.length > 0
      ? html`<span${followUpQuestion ? html` class="any"` : ''}>${anything}</span>${followUpQuestion ? html`<span class="own"><bdi>${followUpQuestion}</bdi></span>` : ''}${followUps.map((each, at) => html`<span class="f f${at}"><bdi>${each.question}</bdi></span>`)}`
      : anything;
  const chips = reasons.map(
    ({ code, label }) =>
      html`<label><input type="checkbox" name="reasons" value="${code}"><bdi>${label}</bdi></label>`,
  );
  // Some browsers cannot style by the chosen rating. They always show the reasons.
  const why =
    chips.length === 0
      ? ''
      : html`<div class="why" role="group" aria-labelledby="q"${marks}>${chips}</div>
`;
  const asks = html`<fieldset${marks}>
<legend><h1><bdi>${question}</bdi></h1></legend>
<div class="values ${['words', 'choices'].includes(TYPES[type].look) ? 'list' : type}">${values}</div>
${worded || !isScale ? '' : html`<div class="ends" aria-hidden="true"><span>${low}</span><span>${high}</span></div>`}
</fieldset>
<label class="ask"${why && html` id="q"`} for="t"${marks}>${more}</label>
${why}<textarea id="t" name="text" rows="3" maxlength="5000" dir="auto" placeholder="${optional}"></textarea>`;
  const asksOnly = html`<h1 id="q"${marks}><bdi>${question}</bdi></h1>
<textarea id="t" name="text" rows="5" maxlength="5000" dir="auto" aria-labelledby="q" required></textarea>`;
  const body = html`<form method="post">
${isOpen ? asksOnly : asks}
${questions.map((each, at) => questionPart(each, at, marks, optional))}<label class="box"><input type="checkbox" name="followUpRequested" value="true"><span${words?.contact ? marks : ''}>${strings.contact}</span></label>
<button class="send"${words?.send ? marks : ''}>${strings.send}</button>
</form>
${showBadge === true ? html`<p class="badge">${strings.badge}</p>` : ''}`;
  return linkPage(language, asker, question, body, followUpStyle(followUps) + questionStyle(questions));
}
