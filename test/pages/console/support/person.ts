import type { Page } from 'playwright-core';
import type { Page as FirefoxPage } from 'puppeteer-core';

type Role = 'button' | 'link' | 'radio' | 'textbox' | 'combobox' | 'heading';

export interface Person {
  open(address: string): Promise<unknown>;
  /** Presses the last control with this name, which is in the dialog if one is open. */
  press(role: Role, name: string): Promise<unknown>;
  type(name: string, text: string): Promise<unknown>;
  /** @param value of the option */
  pick(name: string, value: string): Promise<unknown>;
  see(role: Role, name: string): Promise<unknown>;
  inFrame(selector: string, text?: string): Promise<unknown>;
  read(selector: string): Promise<string>;
  run(script: string): Promise<unknown>;
}

export function atChromium(page: Page): Person {
  const named = (role: Role, name: string) => page.getByRole(role, { name, exact: true });
  return {
    open: (address) => page.goto(address),
    press: (role, name) => named(role, name).last().click(),
    type: (name, text) => named('textbox', name).fill(text),
    pick: (name, value) => named('combobox', name).selectOption(value),
    see: (role, name) => named(role, name).first().waitFor(),
    async inFrame(selector, text) {
      const found = page.frameLocator('iframe').locator(`canvass-survey ${selector}`);
      if (text === undefined) await found.click({ force: true });
      else await found.fill(text);
    },
    read: async (selector) => (await page.locator(selector).first().textContent()) ?? '',
    run: (script) => page.evaluate(script),
  };
}

export function atFirefox(page: FirefoxPage): Person {
  const named = (role: Role, name: string) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`);
  return {
    open: (address) => page.goto(address),
    press: async (role, name) => {
      await named(role, name).wait();
      const all = await page.$$(`::-p-aria([name="${name}"][role="${role}"])`);
      await all.at(-1)?.click();
    },
    async type(name, text) {
      const field = await named('textbox', name).waitHandle();
      await field.focus();
      // Typing letter by letter would take a minute.
      const insert = `document.execCommand('insertText', false, ${JSON.stringify(text)})`;
      await page.evaluate(`document.activeElement.select(); ${insert}`);
    },
    pick: (name, value) => named('combobox', name).fill(value),
    see: (role, name) => named(role, name).wait(),
    async inFrame(selector, text) {
      const frame = await (await page.waitForSelector('iframe'))?.contentFrame();
      // The driver's locators do not reach into the widget.
      const found = `document.querySelector('canvass-survey')?.shadowRoot.querySelector('${selector}')`;
      await frame?.waitForFunction(`!!${found}`);
      const insert = `document.execCommand('insertText', false, ${JSON.stringify(text)})`;
      await frame?.evaluate(text === undefined ? `${found}.click()` : `${found}.focus(); ${insert}`);
    },
    read: async (selector) =>
      String(await page.evaluate(`document.querySelector(${JSON.stringify(selector)}).textContent`)),
    run: (script) => page.evaluate(script),
  };
}
