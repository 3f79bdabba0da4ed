import { drawing, element } from './element.ts';
import { valueNames } from './value-names.ts';
import type { Strings } from './widget-options.ts';
import type { Survey } from './wire.ts';

/** @param smile how far the lip's middle hangs below its corners */
const face = (smile: number) =>
  drawing(`M9 9.5v.01M15 9.5v.01M8 ${15 - smile / 2}q4 ${smile * 2} 8 0M12 2a10 10 0 1 0 .01 0z`);

/** The question as a fieldset of native radios: one Tab stop, arrows move, nothing is sent by choosing. */
export function scaleField(survey: Survey, strings: Strings): HTMLFieldSetElement {
  const { type, question } = survey;
  const names = valueNames(survey, strings);
  const worded = type === 'pmf';
  const values = names.map(({ value, meaning = `${value}`, name }, at) => {
    const input = element('input', {
      type: 'radio',
      name: 'r',
      value: `${value}`,
      'aria-label': worded ? meaning : name,
    });
    return element(
      'label',
      {},
      input,
      type === 'csat' ? face(at - 2) : element('span', {}, worded ? meaning : `${value}`),
    );
  });
  return element(
    'fieldset',
    {},
    element('legend', { class: 'title' }, question),
    element('div', { class: `scale ${type}` }, ...(worded ? values.reverse() : values)),
    worded
      ? ''
      : element(
          'div',
          { class: 'ends', 'aria-hidden': 'true' },
          ...[names[0], names.at(-1)].map((end) => element('span', {}, end?.meaning ?? '')),
        ),
  );
}
