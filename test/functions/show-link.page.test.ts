import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { exportResponses } from '../../functions/export-responses.ts';
import { SURVEY_TYPES, type SurveyContent, type SurveyQuestion } from '../../shared/domain/surveys/survey.ts';
import { contrast } from '../sdk/browser/support/contrast.ts';
import { problemsOf, useChromium } from '../sdk/browser/support/use-chromium.ts';
import { aHostileTenant, aLink, HOSTILE, post } from '../support/fixtures/a-link.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { someone } from '../support/fixtures/tokens.ts';
import { scanAll } from '../support/scan-all.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import { serveService } from '../support/service/served-service.ts';
import type { Tenant } from '../support/service/test-service.ts';

let tenant: Tenant;
let linkTo: (type: string) => Promise<string>;
const { service } = await createRecordedService();
beforeEach(async () => {
  ({ tenant, linkTo } = await aHostileTenant(service));
});

describe('in a browser without JavaScript', () => {
  const browser = useChromium();
  let gateway: Awaited<ReturnType<typeof serveService>>;
  beforeAll(async () => {
    gateway = await serveService(service);
  });
  afterAll(() => gateway.stop(0));

  async function openPage(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage({ javaScriptEnabled: false, ...options });
    await page.goto(`${gateway.url}${path}`);
    return page;
  }

  const linkFor = async (...survey: Parameters<typeof aSurvey>) =>
    aLink(service, await service.tenant({ rates: { publishable: 0, secret: 0 } }, [aSurvey(...survey)]));

  it('lets a person choose, write, send and see thanks; the second time the link is used', async () => {
    const respondentId = someone();
    const path = await aLink(service, tenant, { respondentId, sessionId: 's-1' });
    const page = await openPage(`${path}?lang=de`, { viewport: { width: 375, height: 640 } });
    await page.getByRole('radio', { name: '9', exact: true }).check();
    expect(await page.getByRole('checkbox').count()).toBe(0);
    await page.getByRole('radio', { name: '6', exact: true }).check();
    await page.locator('textarea').fill('Sehr schön & gut ü 😀');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Senden' }).click();
    await page.getByRole('heading', { name: 'Vielen Dank!' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.goto(`${gateway.url}${path}?lang=de`);
    await page.getByRole('heading', { name: 'Dieser Link wurde schon benutzt.' }).waitFor();
    const { secretKey } = tenant;
    const exported = await service.call(exportResponses, { secretKey, query: { respondentId } });
    expect(exported.body.responses).toMatchObject([
      {
        rating: 6,
        text: 'Sehr schön & gut ü 😀',
        contact: null,
        followUpRequested: true,
        linked: true,
        sessionId: 's-1',
        identityKind: null,
        source: 'sdk',
        verified: true,
      },
    ]);
  });

  it.each([
    ['thumbs', 'Not helpful', 'Helpful'],
    ['csat', '2', '5'],
    ['ces', '3', '7'],
  ] as const)('asks for comments with the question that fits the rating: %s', async (type, low, high) => {
    const page = await openPage(await linkFor({}, { type, followUpQuestion: 'What was missing?' }));
    for (const [rating, question] of [
      [low, 'What was missing?'],
      [high, 'Would you like to add anything?'],
    ] as const) {
      await page.getByRole('radio', { name: new RegExp(`^${rating}`) }).check();
      await page.getByRole('textbox', { name: question, exact: true }).waitFor();
      expect(await page.getByRole('checkbox').isVisible()).toBe(rating === low);
    }
  });

  it.each(['nps', 'pmf'] as const)(
    'asks for a reason once there is a rating, whatever it is: %s',
    async (type) => {
      const page = await openPage(await linkFor({}, { type, followUpQuestion: 'Why?' }));
      await page.getByRole('textbox', { name: 'Would you like to add anything?', exact: true }).waitFor();
      for (const rating of [page.getByRole('radio').first(), page.getByRole('radio').last()]) {
        await rating.check();
        await page.getByRole('textbox', { name: 'Why?', exact: true }).waitFor();
      }
    },
  );

  const anything = 'Would you like to add anything?';
  const BY_RATING = {
    followUps: [
      { ratings: [1], question: 'What went wrong?' },
      { ratings: [1, 3], question: 'What could be better?' },
    ],
    thanks: [
      { ratings: [5], text: 'Glad!', link: { label: 'Review us', url: 'https://example.com/' } },
      { text: 'We read it.' },
    ],
    locales: { ar: { followUps: [{ ratings: [1], question: 'ما الذي حدث؟' }] } },
  };

  it.each([
    ['csat', undefined, [anything, 'What went wrong?', anything, 'What could be better?', anything]],
    ['csat', 'Why?', [anything, 'What went wrong?', 'Why?', 'What could be better?', anything]],
    ['nps', undefined, [anything, 'What went wrong?', anything, 'What could be better?', anything]],
    ['nps', 'Why?', [anything, 'What went wrong?', 'Why?', 'What could be better?', 'Why?']],
  ] as const)(
    'asks the question of the rating, in a style that the policy allows: %s, %s',
    async (type, followUpQuestion, questions) => {
      const content = { type, ...(followUpQuestion && { followUpQuestion }), ...BY_RATING };
      const page = await openPage(await linkFor({}, content));
      const blocked: string[] = [];
      page.on('console', (line) => blocked.push(line.text()));
      await page.reload();
      for (const [at, question] of questions.entries()) {
        // The first question is that before a rating.
        if (at > 0)
          await page.getByRole('radio', { name: new RegExp(`^${[1, 2, 3, 5][at - 1]}\\b`) }).check();
        await page.getByRole('textbox', { name: question, exact: true }).waitFor();
        expect(await page.locator('.ask span:visible').count()).toBe(1);
      }
      await page.getByRole('button', { name: 'Send' }).click();
      await page.getByRole('heading', { name: 'Glad!' }).waitFor();
      await page.getByRole('link', { name: 'Review us' }).waitFor();
      expect(blocked).toEqual([]);
    },
  );

  it('asks for anything else in a browser without :has', async () => {
    const reply = await fetch(`${gateway.url}${await linkFor({}, { type: 'csat', ...BY_RATING })}`);
    const page = await browser.newPage();
    await page.setContent((await reply.text()).replaceAll(':has(', ':unknown('));
    await page.getByRole('radio').first().check();
    await page.getByRole('textbox', { name: anything, exact: true }).waitFor();
  });

  const labeled = (...codes: string[]) => codes.map((code) => ({ code, label: `It was ${code}` }));
  const endLabels = { low: 'Hard', high: 'Easy' };

  it.each([320, 1_280])(
    'keeps question, scale, gaps and field in place for every rating: %s pixels',
    async (width) => {
      const reasons = ['slow', 'wrong'].map((code) => ({ code, label: `It was ${code}`.repeat(3) }));
      const content = { type: 'ces', reasons, followUpQuestion: 'Why?' } as const;
      const path = `${await linkFor({ reasonCodes: ['slow', 'wrong'] }, content)}?lang=de`;
      const page = await openPage(path, { viewport: { width, height: 800 } });
      const placeOf = async (selector: string) => {
        const box = await page.locator(`${selector}:visible`).first().boundingBox();
        const { y = 0, height = 0 } = box ?? {};
        return { y, height, end: y + height };
      };
      const look = async () => {
        const [asked, next, field] = [
          await placeOf('.ask span'),
          await placeOf(':is(.why, textarea)'),
          await placeOf('textarea'),
        ];
        const stays = [await placeOf('h1'), await placeOf('.values')];
        return {
          stays,
          height: field.height,
          gap: Math.round(next.y - asked.end),
          page: await placeOf('main'),
        };
      };
      const before = await look();
      expect(before.height).toBeGreaterThanOrEqual(80);
      expect(before.height).toBeLessThanOrEqual(96);
      expect(before.gap).toBe(8);
      await page.getByRole('radio', { name: /^1/ }).check();
      expect(await page.getByRole('group', { name: 'Why?' }).isVisible()).toBe(true);
      const low = await look();
      expect(low).toEqual({ ...before, page: low.page });
      expect(low.page.height).toBeGreaterThan(before.page.height);
      await page.getByRole('radio', { name: /^7/ }).check();
      expect(await page.getByRole('group', { name: 'Why?' }).isVisible()).toBe(false);
      expect(await look()).toEqual(before);
    },
  );

  it.each([320, 1_280])('centers messages without a form under the sender: %s pixels', async (width) => {
    const path = await linkFor();
    const page = await openPage(path, { viewport: { width, height: 800 } });
    const sidesOf = async (selector: string) => {
      const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator(selector).boundingBox()) ?? {};
      return { start: x, end: x + width, middle: x + width / 2, down: y + height / 2 };
    };
    await page.getByRole('radio').last().check();
    await page.getByRole('button', { name: 'Send' }).click();
    for (const heading of ['Thank you!', 'This link has already been used.']) {
      await page.getByRole('heading', { name: heading }).waitFor();
      const { middle, down } = await sidesOf('main');
      expect(down).toBeCloseTo(400, 0);
      expect((await sidesOf('svg')).middle).toBeCloseTo(middle, 0);
      const [initial, name] = [await sidesOf('.from span'), await sidesOf('.from bdi')];
      expect((initial.start + name.end) / 2).toBeCloseTo(middle, 0);
      await page.goto(`${gateway.url}${path}`);
    }
  });

  it('begins a long name at its logo, in a right-to-left page too', async () => {
    const name = 'The Very Long Named Garden and Pottery Company of Amsterdam';
    const asking = await service.tenant({ name, rates: { publishable: 0, secret: 0 } });
    const page = await openPage(`${await aLink(service, asking)}?lang=ar`, {
      viewport: { width: 320, height: 640 },
    });
    const alignment = await page.evaluate("getComputedStyle(document.querySelector('.from bdi')).textAlign");
    expect(alignment).toBe('right');
  });

  it.each(SURVEY_TYPES.filter((type) => type !== 'open'))(
    'shows the selection in a browser without :has: %s',
    async (type) => {
      const reply = await fetch(`${gateway.url}${await linkTo(type)}`);
      const page = await browser.newPage();
      await page.setContent((await reply.text()).replaceAll(':has(', ':unknown('));
      const radio = page.getByRole('radio').first();
      await radio.check();
      const appearance = await page.evaluate(
        "getComputedStyle(document.querySelector(':checked')).appearance",
      );
      expect(appearance).not.toBe('none');
    },
  );

  it('shows reasons with a low rating, and sends them with it', async () => {
    const reasons = labeled('slow', 'wrong');
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
      aSurvey({ reasonCodes: ['slow', 'wrong'] }, { reasons, followUpQuestion: 'What went wrong?' }),
    ]);
    const path = await aLink(service, asking);
    expect(await problemsOf(await openPage(`${path}?rating=6`, { javaScriptEnabled: true }))).toEqual([]);
    const page = await openPage(path);
    const chips = page.getByRole('group', { name: 'What went wrong?' });
    expect(await chips.isVisible()).toBe(false);
    await page.getByRole('radio', { name: '7', exact: true }).check();
    expect(await chips.isVisible()).toBe(false);
    await page.getByRole('radio', { name: '6', exact: true }).check();
    await chips.getByRole('checkbox', { name: 'It was wrong' }).check();
    await page.locator('.send').click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    const { secretKey } = asking;
    const { body } = await service.call(exportResponses, { secretKey });
    expect(body.responses).toMatchObject([{ rating: 6, reasons: ['wrong'] }]);
  });

  const use: SurveyQuestion = {
    ...{ id: 'use', kind: 'many', text: 'What for?', ratings: [6] },
    choices: labeled('reports', 'alerts'),
  };
  const QUESTIONS = {
    questions: [
      use,
      { id: 'effort', kind: 'scale', text: 'How easy?', min: 0, max: 10, endLabels },
      { id: 'more', kind: 'text', text: 'Anything else?', ratings: [1, 6, 9] },
    ],
    locales: { ar: { questions: { use: { text: 'لماذا؟' } } } },
  } satisfies Partial<SurveyContent>;

  it('shows the questions of the chosen rating, and sends their answers with it', async () => {
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
      aSurvey({}, { type: 'nps', ...QUESTIONS }),
    ]);
    const page = await openPage(await aLink(service, asking), { viewport: { width: 320, height: 640 } });
    const shown = () => page.locator('.q:visible :is(legend, label[for])').allTextContents();
    const of = (name: string) => page.getByRole('group', { name });
    expect(await shown()).toEqual(['How easy?']);
    await page.getByRole('radio', { name: /^6/ }).first().check();
    expect(await shown()).toEqual(['What for?', 'How easy?', 'Anything else?']);
    await of('What for?').getByRole('checkbox', { name: 'It was alerts' }).check();
    await of('How easy?').getByRole('radio', { name: '0, Hard', exact: true }).check();
    await page.getByRole('textbox', { name: 'Anything else?' }).fill('No.');
    await page.getByRole('radio', { name: /^9/ }).first().check();
    expect(await shown()).toEqual(['How easy?', 'Anything else?']);
    await page.locator('.send').click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    const { body } = await service.call(exportResponses, { secretKey: asking.secretKey });
    expect(body.responses).toMatchObject([{ rating: 9, answers: { effort: 0, more: 'No.' } }]);
    expect(body.responses[0].answers).not.toHaveProperty('use');
  });

  it('is not sent without a rating by the browser itself', async () => {
    const path = await aLink(service, tenant);
    const page = await openPage(path);
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await page.locator('form').count()).toBe(1);
    expect(await page.locator(':invalid').count()).toBeGreaterThan(0);
  });

  it.each(['light', 'dark'] as const)(
    'dims Send until there is a rating, legible and pressable: %s',
    async (colorScheme) => {
      const page = await openPage(await linkTo('csat'), { colorScheme, reducedMotion: 'reduce' });
      const send = page.getByRole('button', { name: 'Send' });
      const standsOut = () => contrast(send, 'ground');
      expect(await contrast(send)).toBeGreaterThan(4.5);
      expect(await standsOut()).toBeLessThan(1.5);
      await send.click();
      await page.locator('[name=rating]:focus').waitFor();
      await page.getByRole('radio').first().check();
      await expect.poll(standsOut).toBeGreaterThan(4);
      expect(await contrast(send)).toBeGreaterThan(4.5);
    },
  );

  it('fades text together with its background, and nothing with reduced motion', async () => {
    const reasons = [{ code: 'slow', label: 'It was slow' }];
    const path = await linkFor({}, { reasons });
    for (const [reducedMotion, seconds] of [
      ['no-preference', '0.15s'],
      ['reduce', '0s'],
    ] as const) {
      const page = await openPage(path, { reducedMotion });
      for (const part of ['.values label', '.why label', '.send']) {
        const styleOf = (property: string) =>
          page.evaluate<string>(`getComputedStyle(document.querySelector('${part}')).${property}`);
        const transitionProperty = await styleOf('transitionProperty');
        const transitionDuration = await styleOf('transitionDuration');
        if (reducedMotion === 'no-preference') expect(transitionProperty).toMatch(/\bcolor, background/);
        expect(new Set(transitionDuration.split(', '))).toEqual(new Set([seconds]));
      }
    }
  });

  it('fits the ends of a scale on one line of a phone: CES in German', async () => {
    const page = await openPage(`${await linkFor({}, { type: 'ces' })}?lang=de`, {
      viewport: { width: 320, height: 640 },
    });
    const { height = 0 } = (await page.locator('.ends').boundingBox()) ?? {};
    expect(height).toBeLessThanOrEqual(20);
  });

  it('shows hover, press, selection and focus', async () => {
    const page = await openPage(await linkTo('csat'), { reducedMotion: 'reduce' });
    const value = page.locator('.values label').first();
    const groundOf = (selector: string) =>
      page.evaluate(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
    const grounds = [await groundOf('.values label')];
    for (const act of [() => value.hover(), () => page.mouse.down(), () => page.mouse.up()]) {
      await act();
      await expect.poll(async () => grounds.includes(await groundOf('.values label'))).toBe(false);
      grounds.push(await groundOf('.values label'));
    }
    const ofField = await groundOf('textarea');
    expect(await groundOf('.box input')).toBe(ofField);
    await page.locator('.box').hover();
    await expect.poll(() => groundOf('.box input')).not.toBe(ofField);
    for (const selector of ['textarea', '.box input', '.send']) {
      await page.keyboard.press('Tab');
      await page.locator(`${selector}:focus-visible`).waitFor();
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('2px');
    }
  });

  it('restores the look of a rating that was tapped and then cleared', async () => {
    const touch = { hasTouch: true, isMobile: true, reducedMotion: 'reduce' } as const;
    const page = await openPage(`${await linkTo('csat')}?rating=1`, touch);
    const box = page.locator('.box');
    const look = () => page.evaluate("getComputedStyle(document.querySelector('.box input')).background");
    const before = await look();
    await box.tap();
    await page.locator('.box :checked').waitFor();
    await box.tap();
    await page.locator('.box input:not(:checked)').waitFor();
    await expect.poll(look).toBe(before);
  });

  /** Finds targets smaller than 44 pixels and text smaller than 12. */
  const SMALL = `[...document.querySelectorAll('label:not([for]), button, a, textarea, p, span, h1')]
    .filter((one) => one.checkVisibility() && (parseFloat(getComputedStyle(one).fontSize) < 12
      || (one.matches('label, button, a') && one.getBoundingClientRect().height < 44)))
    .map((one) => one.outerHTML)`;

  /** These colors are unreadable without correction. */
  it.each([
    ['light', {}],
    ['dark', { colorScheme: 'dark' }],
    ['forced colours', { forcedColors: 'active' }],
  ] as const)('has no axe violations on any page, and fits 320 pixels: %s', async (_, look) => {
    const bright = await service.tenant({ accent: '#ffee00', rates: { publishable: 0, secret: 0 } });
    const dim = await service.tenant({ accent: '#000022', rates: { publishable: 0, secret: 0 } });
    const answered = await aLink(service, bright);
    await post(service, answered, { rating: '3' });
    const rated = await linkFor({}, { type: 'csat', ...BY_RATING });
    const more = await linkFor({}, { type: 'nps', ...QUESTIONS });
    const paths = [
      answered,
      ...['en', 'ar'].map((lang) => `${more}?rating=6&lang=${lang}`),
      `${await aLink(service, bright)}?rating=10`,
      `${await aLink(service, dim)}?rating=10`,
      ...(await Promise.all(SURVEY_TYPES.map(linkTo))).map((path) => `${path}?rating=1`),
      `${await aLink(service, tenant)}?lang=ar`,
      ...['en', 'ar'].map((lang) => `${rated}?rating=1&lang=${lang}`),
      '/l/none?lang=he',
    ];
    for (const path of paths) {
      // axe runs in the page, so this test enables JavaScript.
      const options = {
        javaScriptEnabled: true,
        bypassCSP: true,
        viewport: { width: 320, height: 640 },
        ...look,
      };
      const page = await openPage(path, options);
      expect([path.slice(-8), await problemsOf(page)]).toEqual([path.slice(-8), []]);
      expect(await page.evaluate(SMALL)).toEqual([]);
    }
  });

  it('stores nothing for a fetch with JavaScript on, and the policy blocks scripts', async () => {
    const path = await aLink(service, tenant);
    const before = await scanAll(service.table, tenant.project.id);
    const page = await openPage(`${path}?rating=9`, { javaScriptEnabled: true });
    expect(await page.title()).toBe(`How likely? ${HOSTILE} · ${tenant.project.name}`);
    expect(await scanAll(service.table, tenant.project.id)).toEqual(before);
  });

  it('answers HEAD like GET', async () => {
    const path = await aLink(service, tenant);
    const [get, head] = [
      await fetch(`${gateway.url}${path}`),
      await fetch(`${gateway.url}${path}`, { method: 'HEAD' }),
    ];
    const namesOf = (reply: Response) =>
      [...reply.headers.keys()].filter((name) => !/^(date|keep-alive)$/.test(name));
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(namesOf(head)).toEqual(namesOf(get));
  });
});
