/** Links set in a browser must use https, so that nobody can replace the page in transit. */

import type { SurveyContent, SurveyTexts } from './survey.ts';

/** By place in the survey. */
function linksOf({ thanks, locales = {} }: Pick<SurveyContent, 'thanks' | 'locales'>): Map<string, string> {
  const given: [string, SurveyTexts['thanks']][] = [
    ['thanks', thanks],
    ...Object.entries(locales).map(([name, texts]): [string, SurveyTexts['thanks']] => [
      `locales.${name}.thanks`,
      texts.thanks,
    ]),
  ];
  return new Map(
    given.flatMap(([place, thanks]) =>
      thanks?.link === undefined ? [] : [[`${place}.link.url`, thanks.link.url] as const],
    ),
  );
}

/** Links without https, except those already set by a survey file. */
export function unsafeLinks(
  content: SurveyContent,
  before: SurveyContent | undefined,
): readonly { readonly path: string; readonly message: string }[] {
  const had = before === undefined ? new Map<string, string>() : linksOf(before);
  return [...linksOf(content)]
    .filter(([place, url]) => !url.startsWith('https://') && had.get(place) !== url)
    .map(([path]) => ({ path, message: 'must begin with https://' }));
}
