import css from './widget.css';

/** Puts a panel into a shadow root of its own, where no style of the page reaches it. */
export function boxed(panel: HTMLElement): HTMLElement {
  const host = document.createElement('canvass-survey');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  root.adoptedStyleSheets = [sheet];
  root.append(panel);
  return host;
}
