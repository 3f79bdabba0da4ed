import { describe, expect, it } from 'vitest';
import { openShop, openShopShowing, type Scene, type Shop, useStage } from '../support/shop.ts';
import { PRESENTATIONS } from '../support/surveys.ts';

const show = useStage();

const looks = async ({ region }: Shop) =>
  (await region.screenshot({ animations: 'disabled' })).toString('base64');

/** Polls, because a button that has just faded in may differ by a shade. */
const expectAlike = (one: Shop, other: Shop) =>
  expect.poll(async () => (await looks(one)) === (await looks(other))).toBe(true);

/** Properties that the hostile style sheet sets, except sizes that depend on the place. */
const REACHABLE = [
  'display visibility font color cursor opacity transform filter position zoom outline margin-block background-color',
  'letter-spacing word-spacing text-transform text-indent text-align border padding',
].flatMap((names) => names.split(' '));

describe('a hostile style sheet', () => {
  it.each(['corner', 'banner'])('does not change a pixel: %s', async (presentation) => {
    const shop = await openShopShowing(`nps-${presentation}`, { place: '' });
    const hostile = await openShopShowing(`nps-${presentation}`, { place: '', hostile: true });
    for (const { region } of [shop, hostile]) await region.waitFor();
    expect(await hostile.region.boundingBox()).toEqual(await shop.region.boundingBox());
    await expectAlike(hostile, shop);
    for (const { radio, send, page } of [shop, hostile]) {
      await radio(3).click();
      await send().click();
      await page.getByRole('checkbox').waitFor();
      await page.mouse.move(1, 1);
    }
    await expectAlike(hostile, shop);
  });

  it("does not change an inline box, whose outer layout is the page's", async () => {
    const styles = async (hostile: boolean) => {
      const { region } = await openShopShowing('nps-inline', { hostile });
      await region.waitFor();
      // The inner width depends on the width of the place, which the page defines.
      await region.evaluate((panel) => {
        const root = panel.getRootNode();
        const place = root instanceof ShadowRoot ? root.host.parentElement : null;
        for (const [name, value] of [
          ['display', 'block'],
          ['box-sizing', 'content-box'],
          ['width', '480px'],
          ['min-width', '0'],
          ['max-width', 'none'],
        ] as const)
          place?.style.setProperty(name, value, 'important');
      });
      return region.evaluate(
        (panel, properties) =>
          [panel, ...panel.querySelectorAll('*')].map((part) => {
            const style = getComputedStyle(part);
            return properties.map(
              (property) => `${part.tagName} ${property}: ${style.getPropertyValue(property)}`,
            );
          }),
        REACHABLE,
      );
    };
    expect(await styles(true)).toEqual(await styles(false));
  });
});

describe('the page', () => {
  it("can set the widget's colors, and nothing else", async () => {
    const { region, send, radio } = await show('plain', {
      style: '--canvass-accent: rgb(1, 102, 3); --canvass-surface: rgb(250, 250, 240)',
    });
    await radio(9).click();
    const colour = (element: Element) => getComputedStyle(element).backgroundColor;
    expect(await send().evaluate(colour)).toBe('rgb(1, 102, 3)');
    expect(await region.evaluate(colour)).toBe('rgb(250, 250, 240)');
  });

  it('can have custom properties of any kind', async () => {
    const { region, send, radio } = await openShopShowing('plain', {
      prepare: (opened) =>
        opened.addInitScript(() => {
          for (const name of ['--accent', '--line', '--surface', '--radius'])
            CSS.registerProperty({ name, syntax: '<number>', inherits: false, initialValue: '7' });
        }),
    });
    await radio(9).click();
    const appearance = (element: Element) => {
      const { backgroundColor, borderRadius } = getComputedStyle(element);
      return { backgroundColor, borderRadius };
    };
    expect(await region.evaluate(appearance)).toEqual({
      backgroundColor: 'rgb(255, 255, 255)',
      borderRadius: '10px',
    });
    expect(await send().evaluate(appearance)).toEqual({
      backgroundColor: 'rgb(51, 68, 204)',
      borderRadius: '10px',
    });
  });

  it('sets dark or light, unless the option does', async () => {
    const surface = async (scene: Scene) => {
      const { region } = await show('plain', scene);
      return region.evaluate((element) => getComputedStyle(element).backgroundColor);
    };
    const [light, dark] = ['rgb(255, 255, 255)', 'rgb(34, 34, 34)'];
    expect(await surface({ scheme: 'light', colorScheme: 'dark' })).toBe(light);
    expect(await surface({ scheme: 'dark' })).toBe(dark);
    expect(await surface({ scheme: 'dark', options: { theme: 'auto' } })).toBe(dark);
    expect(await surface({ scheme: 'light', options: { theme: 'dark' } })).toBe(dark);
    expect(await surface({ scheme: 'dark', options: { theme: 'light' } })).toBe(light);
  });

  it('does not receive key events of the widget', async () => {
    const { page, region, radio, send } = await openShopShowing('nps-corner');
    await page.evaluate(() => {
      for (const type of ['keydown', 'keypress', 'keyup'])
        addEventListener(type, () => window.heard?.push(type));
    });
    await region.waitFor();
    await radio(3).click();
    await send().click();
    await page.getByRole('textbox', { name: 'What is the main reason?' }).fill('');
    await page.keyboard.type('abc');
    // The key-up event reaches whatever has the focus by then.
    await page.keyboard.down('Escape');
    await region.waitFor({ state: 'detached' });
  });

  it('has one more global, and after `destroy` no listener, patch, style or element', async () => {
    const globals = () => Object.getOwnPropertyNames(window);
    const bare = await openShop({ module: 'headless' });
    const before = await bare.page.evaluate(globals);
    const { page, region } = await openShopShowing('plain', {
      prepare: async (opened) => {
        await opened.addInitScript(() => {
          const { pushState, replaceState } = history;
          Object.assign(window, {
            isPatched: () => history.pushState !== pushState || history.replaceState !== replaceState,
          });
        });
      },
    });
    await region.waitFor();
    const after = await page.evaluate(globals);
    expect(after.filter((name) => !before.includes(name)).toSorted()).toEqual(['canvass', 'isPatched']);
    expect(await page.evaluate('isPatched()')).toBe(false);
    expect(await page.evaluate('document.adoptedStyleSheets.length')).toBe(0);
    await page.evaluate('canvass.destroy()');
    expect(await page.locator('canvass-survey').count()).toBe(0);
    expect(await page.evaluate('isPatched()')).toBe(false);
  });

  it('loses the thanks of an earlier survey on `destroy`', async () => {
    const { page, region, radio, send } = await show('nps-inline');
    await radio(9).click();
    await send().click();
    await send().click();
    await region.getByText('Thank you!').waitFor();
    await page.evaluate("canvass.identify(crypto.randomUUID()); canvass.show('plain')");
    await expect.poll(() => page.locator('canvass-survey').count()).toBe(2);
    await page.evaluate('canvass.destroy()');
    expect(await page.locator('canvass-survey').count()).toBe(0);
  });

  it('shows nothing after `destroy`', async () => {
    const { page, region, requests } = await show('plain');
    await region.waitFor();
    await page.evaluate(
      "canvass.destroy(); canvass.identify('other'); canvass.show('plain'); history.pushState(0, '', '#other')",
    );
    await page.evaluate(() => new Promise((done) => setTimeout(done)));
    expect(await page.locator('canvass-survey').count()).toBe(0);
    expect(requests).toEqual(['POST /v1/sdk/bootstrap']);
  });
});

it.each(PRESENTATIONS)('works under a strict content security policy: %s', async (presentation) => {
  const { region, page } = await show(`nps-${presentation}`);
  await region.waitFor();
  const names = await page.evaluate(() => document.querySelector('canvass-survey')?.getAttributeNames());
  expect(names).toEqual([]);
});
