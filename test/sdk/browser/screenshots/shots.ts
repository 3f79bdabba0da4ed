/** What the pictures of the widget in the documents show. */

import type { Page } from 'playwright-core';
import type { Scene } from './scene.ts';

export interface Shot extends Scene {
  readonly name: string;
  /** What the person does before the picture. */
  readonly act?: (page: Page) => Promise<unknown>;
}

const radio = (page: Page, value: number) =>
  page.locator(`canvass-survey input[type=radio][value="${value}"]`).check();
const send = (page: Page) => page.locator('canvass-survey .send').click();

const PHONE = { viewport: { width: 375, height: 560 } };
const NPS = { question: 'How likely are you to recommend us to a friend or colleague?' };

const WIDGET: readonly Shot[] = [
  {
    name: 'nps-phone',
    survey: NPS,
    browser: PHONE,
    page: { scheme: 'dark' },
    act: (page) => radio(page, 8),
  },
  {
    name: 'csat-inline',
    survey: {
      type: 'csat',
      scale: { min: 1, max: 5 },
      presentation: 'inline',
      question: 'How satisfied are you with your order?',
    },
    act: (page) => radio(page, 4),
  },
  {
    name: 'ces-banner',
    survey: {
      type: 'ces',
      scale: { min: 1, max: 7 },
      presentation: 'banner',
      question: 'It was easy to return my order.',
    },
    browser: { viewport: { width: 1_240, height: 220 }, deviceScaleFactor: 1 },
    act: (page) => radio(page, 6),
  },
  {
    name: 'pmf-corner-dark',
    survey: {
      type: 'pmf',
      scale: { min: 0, max: 2 },
      question: 'How would you feel if you could no longer use this shop?',
    },
    page: { scheme: 'dark' },
    act: (page) => radio(page, 2),
  },
  {
    name: 'follow-up',
    browser: { viewport: { width: 580, height: 440 }, deviceScaleFactor: 1.5 },
    survey: { ...NPS, followUpQuestion: 'What is the main reason for your score?' },
    page: { user: '' },
    async act(page) {
      await radio(page, 4);
      await send(page);
      await page.locator('canvass-survey textarea').fill('The parcel came late.');
      await page.getByRole('checkbox').check();
      await page.locator('canvass-survey input[type=email]').fill('ann@example.com');
    },
  },
  {
    name: 'thanks',
    survey: {
      ...NPS,
      thanks: {
        text: 'Thank you! Would you tell others, too?',
        link: { label: 'Write a review', url: 'https://example.com' },
      },
    },
    async act(page) {
      await radio(page, 10);
      await send(page);
    },
  },
];

const SMALL = { viewport: { width: 400, height: 300 }, deviceScaleFactor: 1.5 };
const LAUNCHER =
  'content: "Chat"; position: fixed; right: 16px; bottom: 16px; padding: 12px 20px; color: #fff; border-radius: 26px;';

/** By property: what a page says, and what else it shows. */
const THEME: Readonly<Record<string, readonly [value: string, css?: string]>> = {
  accent: ['#0a7d55'],
  'on-accent': ['#ffe9a8', ':root { --canvass-accent: #7a1f3d; }'],
  surface: ['#17322a', ':root { --canvass-accent: #8fd0ab; }'],
  text: ['#7a1f3d'],
  line: ['#e0a458'],
  radius: ['2px'],
  font: ['Georgia, "DejaVu Serif", serif'],
  offset: ['76px', `body::after { ${LAUNCHER} background: #0a7d55; }`],
  z: [
    '1',
    'body::after { content: "In front"; position: fixed; inset: auto 0 0; z-index: 2; padding: 20px; color: #fff; background: #17322a; }',
  ],
};

const themed = Object.entries(THEME).map(
  ([name, [value, css = '']]): Shot => ({
    name: `theme-${name}`,
    survey: { type: 'csat', scale: { min: 1, max: 5 }, question: 'How was your order?' },
    browser: SMALL,
    css: `${css} :root { --canvass-${name}: ${value} !important; }`,
    act: (page) => radio(page, 4),
  }),
);

export const SHOTS: readonly Shot[] = [...WIDGET, ...themed];
