import type { ScaleStrings } from '../../../shared/words/strings.ts';
import { valueNames } from '../../../shared/words/value-names.ts';
import type { Kit } from '../client/kit.ts';
import type { LocalisedSurvey } from '../client/survey.ts';
import { CIRCLE } from './element.ts';

/** @param smile how far the lip's middle is below its corners; the happiest mouth is open */
const face = (smile: number): string =>
  `${CIRCLE}M9 9v.01M15 9v.01M8 ${15 - smile}q4 ${smile * 4} 8 0${smile ** 2 > 1 ? 'z' : ''}`;

/** Native radios in a fieldset: one Tab stop, arrow keys, and choosing sends nothing. The labels of the ends follow. */
export function scaleField(
  { drawing, element }: Kit,
  survey: LocalisedSurvey,
  strings: ScaleStrings,
): [HTMLFieldSetElement, HTMLElement | string] {
  const { type, question } = survey;
  const names = valueNames(survey, strings);
  const worded = type === 'pmf';
  const values = names.map(({ value, meaning = `${value}`, name }, at) => {
    const input = element('input', {
      type: 'radio',
      name: 'r',
      value: `${value}`,
      ariaLabel: worded ? meaning : name,
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
