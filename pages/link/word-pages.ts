/** Pages that say one thing: thanks, or why there is nothing to answer and what to do. */

import type { ErrorCode } from '../../shared/contract/errors.ts';
import type { Appearance } from '../../shared/domain/project.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { type Html, html, type Page } from '../html.ts';
import { localise, plainLanguage } from './language.ts';
import { CIRCLE, drawing, languageMarks, linkPage } from './page.ts';
import { type PageWords, pageWords } from './page-words.ts';

const TICK = `${CIRCLE}M8 12.5l3 3 5.5-6`;
const NOTE = `${CIRCLE}M12 7v6M12 16.5v.01`;

/** @param marks of the language of the texts, where that is not the page's */
const saying = (sign: string, text: string, more: Html, marks: Html = html``): Html =>
  html`<div class="said"${marks}><div class="sign">${drawing(sign)}</div><h1><bdi>${text}</bdi></h1>${more}</div>`;

export function thanksPage(survey: Survey, asker: Appearance, tags: readonly string[]): Page {
  const { content, language, asked } = localise(survey.content, tags);
  const { text = language.strings.thanks, link } = content.thanks ?? {};
  const done = content.thanks ? html`` : html`<p>${pageWords(language.spoken).done}</p>`;
  const more = link ? html`<a class="send" href="${link.url}" rel="noreferrer">${link.label}</a>` : done;
  const marks = content.thanks && languageMarks(asked, language);
  return linkPage(language, asker, text, saying(TICK, text, more, marks));
}

type Said = readonly [says: keyof PageWords, next?: keyof PageWords];

const SAYS: Partial<Record<ErrorCode, Said>> = {
  invalid_request: ['choose'],
  rating_out_of_range: ['choose'],
  token_used: ['used', 'done'],
  token_expired: ['expired', 'ask'],
  invalid_token: ['unknown', 'ask'],
  survey_not_found: ['unknown', 'ask'],
  project_suspended: ['unknown', 'ask'],
};

/** Why the link did not do what was asked of it, and what to do; where that can help, with the way back to the form. */
export function refusalPage(code: ErrorCode, asker: Appearance | undefined, tags: readonly string[]): Page {
  const language = plainLanguage(tags);
  const words = pageWords(language.spoken);
  const [says, next] = SAYS[code] ?? ['later', 'soon'];
  const advice = next ? html`<p>${words[next]}</p>` : '';
  const isWorthwhile = says === 'choose' || says === 'later';
  const back = isWorthwhile ? html`<a class="send" href="">${words.again}</a>` : '';
  const sign = says === 'used' ? TICK : NOTE;
  return linkPage(language, asker, words[says], saying(sign, words[says], html`${advice}${back}`));
}
