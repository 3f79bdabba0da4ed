import { element } from './element.ts';
import type { LocalisedSurvey } from './texts.ts';
import css from './widget.css';
import type { Appearance, Strings } from './widget-options.ts';

export interface Panel {
  /** What is put into the page. */
  readonly host: HTMLElement;
  readonly panel: HTMLElement;
  /** Speaks to assistive technology. */
  readonly status: HTMLElement;
  readonly form: HTMLFormElement;
  readonly close: HTMLButtonElement;
}

/** An empty box in a shadow root of its own. */
export function createPanel(
  { presentation, corner = 'bottom-right', showBadge }: LocalisedSurvey,
  words: Strings,
  theme: Appearance['theme'] = 'auto',
): Panel {
  const status = element('p', { role: 'status', className: 'unseen' });
  const form = element('form', {});
  const close = element('button', { className: 'close', ariaLabel: words.close }, '×');
  const panel = element(
    'section',
    {
      ariaLabel: words.region,
      className: `panel ${presentation} ${corner} ${theme}`,
    },
    status,
    form,
    showBadge ? element('div', { className: 'ends' }, words.badge) : '',
    close,
  );
  const host = document.createElement('canvass-survey');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  root.append(panel);
  return { host, panel, status, form, close };
}
