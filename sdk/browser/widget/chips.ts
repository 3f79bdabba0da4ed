import type { LocalisedSurvey } from '../client/survey.ts';
import css from './chips.css';
import { element } from './element.ts';

export interface Chips {
  readonly field: HTMLElement;
  readonly chosen: () => string[] | undefined;
}

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);

export function createChips(host: HTMLElement, survey: LocalisedSurvey): Chips {
  const { reasons = [], followUpQuestion, question } = survey;
  const { adoptedStyleSheets: sheets = [] } = host.shadowRoot ?? {};
  if (!sheets.includes(sheet)) sheets.push(sheet);
  const boxes = reasons.map(({ code }) => element('input', { type: 'checkbox', value: code }));
  const labels = boxes.map((box, at) => element('label', {}, box, reasons[at]?.label ?? ''));
  const field = element(
    'div',
    { className: 'why', role: 'group', ariaLabel: followUpQuestion ?? question },
    ...labels,
  );
  return {
    field,
    chosen() {
      const codes = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      return codes.length > 0 ? codes : undefined;
    },
  };
}
