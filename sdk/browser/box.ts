import base from './widget.css';

/** Puts a panel, with further rules, into a shadow root of its own, where no style of the page reaches it. */
export function boxed(panel: HTMLElement, css = ''): HTMLElement {
  const host = document.createElement('canvass-survey');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(base + css);
  root.adoptedStyleSheets = [sheet];
  root.append(panel);
  return host;
}
