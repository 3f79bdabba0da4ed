/** Pages that say one thing: thanks, or why there is nothing to answer. */

import type { ErrorCode } from '../../shared/contract/errors.ts';
import type { Survey } from '../../shared/domain/surveys/survey.ts';
import { html, type Page } from '../html.ts';
import { localise, plainLanguage } from './language.ts';
import { linkPage } from './page.ts';
import { type PageWords, pageWords } from './page-words.ts';

export function thanksPage(survey: Survey, tags: readonly string[]): Page {
  const { content, language } = localise(survey.content, tags);
  const { text = language.strings.thanks, link } = content.thanks ?? {};
  const more =
    link === undefined ? '' : html`<p><a href="${link.url}" rel="noreferrer">${link.label}</a></p>`;
  return linkPage(language, text, html`<h1 class="title">${text}</h1>${more}`);
}

const SAYS: Partial<Record<ErrorCode, keyof PageWords>> = {
  invalid_request: 'choose',
  rating_out_of_range: 'choose',
  token_used: 'used',
  token_expired: 'expired',
  invalid_token: 'unknown',
  survey_not_found: 'unknown',
  project_suspended: 'unknown',
};

/** Why the link did not do what was asked of it; where a rating was missing, with the way back to the form. */
export function refusalPage(code: ErrorCode, tags: readonly string[]): Page {
  const language = plainLanguage(tags);
  const says = SAYS[code] ?? 'later';
  const text = pageWords(language.spoken)[says];
  const isRepairable = says === 'choose' || says === 'later';
  const back = isRepairable ? html`<p><a href="">↩ ${language.strings.region}</a></p>` : '';
  return linkPage(language, text, html`<h1 class="title">${text}</h1>${back}`);
}
