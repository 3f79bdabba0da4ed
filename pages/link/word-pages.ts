import type { ErrorCode } from '../../shared/contract/errors.ts';
import type { Appearance } from '../../shared/domain/project.ts';
import { textsFor } from '../../shared/domain/surveys/by-rating.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import type { LinkPageStrings } from '../../shared/words/link-page-strings.ts';
import { type Html, html, type Page } from '../html.ts';
import { localise, plainLanguage } from './language.ts';
import { CIRCLE, drawing, languageMarks, linkPage } from './page.ts';

const TICK = `${CIRCLE}M8 12.5l3 3 5.5-6`;
const NOTE = `${CIRCLE}M12 7v6M12 16.5v.01`;

const saying = (sign: string, text: string, more: Html, marks: Html = html``): Html =>
  html`<div class="said"${marks}><div class="sign">${drawing(sign)}</div><h1><bdi>${text}</bdi></h1>${more}</div>`;

export function thanksPage(survey: Survey, rating: number, asker: Appearance, tags: readonly string[]): Page {
  const { content, language, asked } = localise(survey.content, tags);
  const { thanks } = textsFor(content, rating);
  const { text = language.strings.thanks, link } = thanks ?? {};
  const done = thanks ? html`` : html`<p>${language.linkPage.done}</p>`;
  const more = link ? html`<a class="send" href="${link.url}" rel="noreferrer">${link.label}</a>` : done;
  const marks = thanks && languageMarks(asked, language);
  return linkPage(language, asker, text, saying(TICK, text, more, marks));
}

type Word = keyof LinkPageStrings;

const SAYS: Partial<Record<ErrorCode, { readonly says: Word; readonly next?: Word }>> = {
  invalid_request: { says: 'chooseRating' },
  rating_out_of_range: { says: 'chooseRating' },
  token_used: { says: 'used', next: 'done' },
  token_expired: { says: 'expired', next: 'askForNewLink' },
  invalid_token: { says: 'invalid', next: 'askForNewLink' },
  survey_not_found: { says: 'invalid', next: 'askForNewLink' },
  project_suspended: { says: 'invalid', next: 'askForNewLink' },
};

/**
 * Links back to the form if another attempt can help.
 * @param written the comment that was not stored; may be empty
 */
export function refusalPage(
  code: ErrorCode,
  asker: Appearance | undefined,
  tags: readonly string[],
  written = '',
): Page {
  const language = plainLanguage(tags);
  const words = language.linkPage;
  const { says, next } = SAYS[code] ?? { says: 'failed', next: 'retryLater' };
  const advice = next ? html`<p>${words[next]}</p>` : '';
  const isWorthwhile = says === 'chooseRating' || says === 'failed';
  const back = isWorthwhile ? html`<a class="send" href="">${words.retry}</a>` : '';
  const kept = written && html`<blockquote dir="auto">${written}</blockquote>`;
  const sign = says === 'used' ? TICK : NOTE;
  return linkPage(language, asker, words[says], saying(sign, words[says], html`${advice}${kept}${back}`));
}
