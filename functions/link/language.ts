/** In which language a page of a link is: that of the survey's texts, and of the words around them. */

import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { words as ar } from '../../sdk/browser/languages/ar.ts';
import { words as cs } from '../../sdk/browser/languages/cs.ts';
import { words as da } from '../../sdk/browser/languages/da.ts';
import { words as de } from '../../sdk/browser/languages/de.ts';
import { words as es } from '../../sdk/browser/languages/es.ts';
import { words as fi } from '../../sdk/browser/languages/fi.ts';
import { words as fr } from '../../sdk/browser/languages/fr.ts';
import { words as he } from '../../sdk/browser/languages/he.ts';
import { words as it } from '../../sdk/browser/languages/it.ts';
import { words as ja } from '../../sdk/browser/languages/ja.ts';
import { words as ko } from '../../sdk/browser/languages/ko.ts';
import { words as nb } from '../../sdk/browser/languages/nb.ts';
import { words as nl } from '../../sdk/browser/languages/nl.ts';
import { words as pl } from '../../sdk/browser/languages/pl.ts';
import { words as pt } from '../../sdk/browser/languages/pt.ts';
import { words as ru } from '../../sdk/browser/languages/ru.ts';
import { words as sv } from '../../sdk/browser/languages/sv.ts';
import { words as tr } from '../../sdk/browser/languages/tr.ts';
import { words as uk } from '../../sdk/browser/languages/uk.ts';
import { words as zh } from '../../sdk/browser/languages/zh.ts';
import { STRINGS as en } from '../../sdk/browser/strings.ts';
import type { Strings } from '../../sdk/browser/widget-options.ts';
import type { SurveyContent } from '../../shared/domain/surveys/survey.ts';
import { readQuery } from '../runtime/input/query-parameters.ts';

const SPOKEN: ReadonlyMap<string, Strings> = new Map(
  Object.entries({ en, ar, cs, da, de, es, fi, fr, he, it, ja, ko, nb, nl, pl, pt, ru, sv, tr, uk, zh }),
);
const NORWEGIAN: ReadonlySet<string> = new Set(['nn', 'no']);
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he', 'fa', 'ur']);
/** More than any browser sends; a caller may put any number into the header. */
const MOST_TAGS = 20;

/** The name that fits a tag best, from its most specific form to its least (docs/contract.md §6.2). */
function bestMatch(names: Iterable<string>, tag: string): string | undefined {
  const byName = new Map([...names].map((name) => [name.toLowerCase(), name]));
  const parts = tag.toLowerCase().split('-');
  for (let length = parts.length; length > 0; length -= 1) {
    const found = byName.get(parts.slice(0, length).join('-'));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The tags of `Accept-Language`, most wanted first (RFC 9110, 12.5.4). */
function acceptedTags(header: string): string[] {
  const weighed = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => /^q=/i.test(text))?.slice(2);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  const wanted = weighed.filter(({ tag, weight }) => /^[a-z0-9-]{1,35}$/i.test(tag) && weight > 0);
  return wanted
    .slice(0, MOST_TAGS)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}

/** What the person asked for: `?lang=` before what the browser says. */
export function wantedTags({
  headers,
  rawQueryString,
}: Pick<APIGatewayProxyEventV2, 'headers' | 'rawQueryString'>): string[] {
  const [chosen = ''] = readQuery(rawQueryString).get('lang') ?? [];
  return acceptedTags([chosen, headers['accept-language'] ?? ''].join(',')).sort((a, b) =>
    a === chosen ? -1 : Number(b === chosen),
  );
}

export interface PageLanguage {
  /** For `lang`. */
  readonly tag: string;
  readonly direction: 'ltr' | 'rtl';
  /** One of the widget's. */
  readonly spoken: string;
  readonly strings: Strings;
}

function languageFor(tag: string): PageLanguage {
  const [primary = ''] = tag.toLowerCase().split('-');
  const known = NORWEGIAN.has(primary) ? 'nb' : bestMatch(SPOKEN.keys(), tag);
  const spoken = known ?? 'en';
  const direction = RIGHT_TO_LEFT.has(primary) ? 'rtl' : 'ltr';
  return { tag, direction, spoken, strings: SPOKEN.get(spoken) ?? en };
}

/** Of a page without a survey: the first wanted language that the widget speaks. */
export function plainLanguage(tags: readonly string[]): PageLanguage {
  const tag = tags.find((each) => languageFor(each).spoken !== 'en' || /^en\b/i.test(each)) ?? 'en';
  return languageFor(bestMatch(SPOKEN.keys(), tag) ?? tag);
}

export interface LocalisedContent {
  readonly content: SurveyContent;
  readonly language: PageLanguage;
}

/**
 * The survey's texts in the first wanted language that it has. One that has no texts in any of them keeps its own, with
 * the words around them in the language that is wanted most.
 */
export function localise(content: SurveyContent, tags: readonly string[]): LocalisedContent {
  const { locales = {}, words } = content;
  for (const tag of tags) {
    const name = bestMatch(Object.keys(locales), tag);
    const texts = name === undefined ? undefined : locales[name];
    if (name === undefined || texts === undefined) continue;
    const { question = content.question, followUpQuestion = content.followUpQuestion } = texts;
    const localised = {
      ...content,
      ...texts,
      question,
      followUpQuestion,
      words: { ...words, ...texts.words },
    };
    return { content: localised, language: languageFor(name) };
  }
  return { content, language: plainLanguage(tags) };
}
