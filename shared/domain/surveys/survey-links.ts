/** Links that somebody sets in a browser: to pages that nobody on the way can replace. */

import type { SurveyContent, SurveyTexts } from './survey.ts';

/** By their place in a survey. */
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

/** Those that are not https, but for what a survey file has set there before. */
export function unsafeLinks(
  content: SurveyContent,
  before: SurveyContent | undefined,
): readonly { readonly path: string; readonly message: string }[] {
  const had = before === undefined ? new Map<string, string>() : linksOf(before);
  return [...linksOf(content)]
    .filter(([place, url]) => !url.startsWith('https://') && had.get(place) !== url)
    .map(([path]) => ({ path, message: 'must begin with https://' }));
}
