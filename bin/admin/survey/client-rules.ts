/** Rules that the browser applies after it has received a token. */

import { InvalidArgumentError } from 'commander';
import { isOnPage, isTargeted, stickyHash } from '../../../sdk/browser/client/targeting.ts';
import type { SurveyEvent } from '../../../shared/domain/surveys/conditions.ts';
import type { Survey, TargetingRule } from '../../../shared/domain/surveys/survey.ts';

export type Traits = Readonly<Record<string, string | number | boolean | null>>;

export interface ClientCheck {
  readonly rule: 'targeting' | 'sample' | 'pages' | 'event';
  /** Null when it depends on something unknown. */
  readonly passed: boolean | null;
  readonly figure: string;
}

/** Reads JSON scalars; anything else is a string. */
function traitValue(text: string): Traits[string] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? text : (value as Traits[string]);
  } catch {
    return text;
  }
}

/** Parses a repeatable `--trait name=value`. */
export function addTrait(text: string, traits: Traits = {}): Traits {
  const at = text.indexOf('=');
  const name = text.slice(0, at);
  if (at < 1) throw new InvalidArgumentError('Write a trait as name=value.');
  if (Object.hasOwn(traits, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return Object.fromEntries([...Object.entries(traits), [name, traitValue(text.slice(at + 1))]]);
}

const ruleText = ({ trait, op, value }: TargetingRule): string =>
  [trait, op, ...(value === undefined ? [] : [JSON.stringify(value)])].join(' ');

function checkTargeting(
  rules: readonly TargetingRule[],
  traits: Traits | undefined,
): Omit<ClientCheck, 'rule'> {
  if (rules.length === 0) return { passed: true, figure: 'everybody' };
  if (traits === undefined) {
    const names = new Set(rules.map(({ trait }) => trait));
    return { passed: null, figure: `depends on traits: ${[...names].join(', ')}` };
  }
  const failed = rules.filter((rule) => !isTargeted(traits, [rule]));
  return {
    passed: isTargeted(traits, rules),
    figure:
      failed.length === 0 ? rules.map(ruleText).join(', ') : `not ${failed.map(ruleText).join(', not ')}`,
  };
}

function checkSample({ id, content }: Survey, respondentId: string): Omit<ClientCheck, 'rule'> {
  const { samplePercent: percent = 100 } = content;
  const place = stickyHash(respondentId, id) % 100;
  const figure = percent >= 100 ? 'everybody' : `${place} of 0 to 99, asked below ${percent}`;
  return { passed: place < percent, figure };
}

function checkPages(
  { content: { pages = [] } }: Survey,
  page: string | undefined,
): Omit<ClientCheck, 'rule'> {
  const figure = pages.join(', ');
  return page === undefined
    ? { passed: null, figure: `depends on the page: ${figure}` }
    : { passed: isOnPage(pages, page), figure };
}

const checkEvent = ({ event, times = 1 }: SurveyEvent): Omit<ClientCheck, 'rule'> => ({
  passed: null,
  figure: `depends on the page's code: track('${event}')${times > 1 ? `, ${times} times in a visit` : ''}`,
});

/**
 * @param traits all traits of the page; undefined when unknown
 * @param page the path of the page; undefined when unknown
 */
export const checkClientRules = (
  survey: Survey,
  respondentId: string,
  traits: Traits | undefined,
  page?: string,
): readonly ClientCheck[] => {
  const { targeting = [], pages, on } = survey.content;
  return [
    { rule: 'targeting', ...checkTargeting(targeting, traits) },
    { rule: 'sample', ...checkSample(survey, respondentId) },
    ...(pages === undefined ? [] : [{ rule: 'pages' as const, ...checkPages(survey, page) }]),
    ...(on === undefined ? [] : [{ rule: 'event' as const, ...checkEvent(on) }]),
  ];
};
