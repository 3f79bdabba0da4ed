import { html } from '../../html.ts';
import type { Reading } from '../charts/plot.ts';
import { show } from './dom.ts';

const part = (area: Element, name: string): HTMLElement => {
  const element = document.createElement('div');
  element.className = name;
  element.hidden = true;
  area.append(element);
  return element;
};

/** Makes a chart a slider over its points, for pointers, touch, arrow keys and screen readers. */
export function readPoints(plot: HTMLElement, label: string, { direction, points }: Reading): void {
  const area = plot.querySelector<HTMLElement>('.area');
  if (area === null || points.length === 0) return;
  const [guide, ring, read] = [part(area, `guide ${direction}`), part(area, 'ring'), part(area, 'read')];
  let current = points.length - 1;

  function point(index: number): void {
    current = Math.min(points.length - 1, Math.max(0, index));
    const at = points[current];
    if (at === undefined || area === null) return;
    plot.setAttribute('aria-valuenow', String(current + 1));
    plot.setAttribute('aria-valuetext', [at.title, ...at.lines].join(', '));
    const { clientWidth: width, clientHeight: height } = area;
    const [x, y] = direction === 'across' ? [at.along * width, 0] : [width / 2, at.along * height];
    Object.assign(guide.style, { left: `${x}px`, top: '0', height: `${height - 22}px` });
    guide.hidden = direction === 'down';
    ring.hidden = at.height === undefined;
    Object.assign(ring.style, { left: `${x}px`, top: `${at.height ?? 0}px` });
    show(read, html`<strong>${at.title}</strong>${at.lines.map((line) => html`<div>${line}</div>`)}`);
    read.hidden = false;
    const { offsetWidth, offsetHeight } = read;
    const beside = x + 14 + offsetWidth <= width ? x + 14 : x - 14 - offsetWidth;
    Object.assign(read.style, {
      left: `${direction === 'across' ? Math.max(0, beside) : (width - offsetWidth) / 2}px`,
      top: `${direction === 'across' ? 4 : Math.max(0, y - offsetHeight - 8)}px`,
    });
  }
  const leave = (): void => {
    for (const element of [guide, ring, read]) element.hidden = true;
  };
  const nearest = ({ clientX, clientY }: PointerEvent): number => {
    const box = area.getBoundingClientRect();
    const along =
      direction === 'across' ? (clientX - box.left) / box.width : (clientY - box.top) / box.height;
    const far = points.map((each) => Math.abs(each.along - along));
    return far.indexOf(Math.min(...far));
  };

  const attributes = {
    role: 'slider',
    tabindex: '0',
    'aria-label': `${label}, point by point`,
    'aria-valuemin': '1',
    'aria-valuemax': String(points.length),
    'aria-orientation': direction === 'across' ? 'horizontal' : 'vertical',
  };
  for (const [name, value] of Object.entries(attributes)) plot.setAttribute(name, value);
  point(current);
  leave();
  plot.addEventListener('pointermove', (event) => point(nearest(event)));
  plot.addEventListener('pointerdown', (event) => point(nearest(event)));
  plot.addEventListener('pointerleave', leave);
  plot.addEventListener('focus', () => plot.matches(':focus-visible') && point(current));
  plot.addEventListener('blur', leave);
  plot.addEventListener('keydown', (event) => {
    const steps: Readonly<Record<string, number>> = {
      ArrowRight: current + 1,
      ArrowDown: current + 1,
      ArrowLeft: current - 1,
      ArrowUp: current - 1,
      Home: 0,
      End: points.length - 1,
    };
    const next = steps[event.key];
    if (event.key === 'Escape') leave();
    if (next === undefined) return;
    event.preventDefault();
    point(next);
  });
}
