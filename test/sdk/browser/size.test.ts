import { beforeAll, describe, expect, it } from 'vitest';
import {
  BUDGET,
  buildSdk,
  filesOf,
  gzipBytes,
  type SdkBuild,
  type SdkFile,
  sizeReport,
} from '../../../bin/build/build-sdk.ts';

let files: SdkBuild;

beforeAll(async () => {
  files = await buildSdk();
});

describe('the code that a page loads', () => {
  /** Leaves room for the next fix. */
  const MOST = 0.9995;

  it('stays within its budget after gzip, with some left', () => {
    const { script, module, widget, kit, bare, thumbs, followUp } = files;
    const report = sizeReport(files);
    const bytes = (...loaded: SdkFile[]) => loaded.reduce((sum, file) => sum + gzipBytes(file), 0);
    expect(bytes(script), report).toBeLessThanOrEqual(BUDGET.client * MOST);
    expect(bytes(module), report).toBeLessThanOrEqual(BUDGET.client * MOST);
    expect(bytes(script, widget), report).toBeLessThanOrEqual(BUDGET.together * MOST);
    expect(bytes(script, kit, thumbs), report).toBeLessThanOrEqual(BUDGET.together * MOST);
    // Thumbs under a message and then a survey, and the reverse.
    expect(bytes(script, kit, thumbs, bare), report).toBeLessThanOrEqual(BUDGET.chat);
    expect(bytes(script, widget, thumbs), report).toBeLessThanOrEqual(BUDGET.chat);
    expect(bytes(followUp), report).toBeLessThanOrEqual(BUDGET.after * MOST);
  });

  it('keeps the promised budget: 3 and 8 KB, 11 KB for a chat that also asks surveys, 3.1 KB for the follow-up', () => {
    expect(BUDGET).toEqual({ client: 3_072, together: 8_192, chat: 11_264, after: 3_200 });
  });

  it('loads another language in a kilobyte and developer tools separately, on demand', () => {
    const { script, widget, thumbs, languages, words, debug } = files;
    expect(words).toHaveLength(20);
    for (const language of words) {
      expect(gzipBytes(languages) + gzipBytes(language)).toBeLessThanOrEqual(1_024);
      expect(languages.text).toContain(language.hashedName);
    }
    const has =
      (text: string) =>
      ({ text: file }: SdkFile) =>
        file.includes(text);
    expect([script, widget, languages].filter(has('Senden'))).toEqual([]);
    expect([script, widget, thumbs, debug].filter(has('console.info'))).toEqual([debug]);
    expect([script, widget, thumbs, debug].filter(has('/v1/sdk/revisions'))).toEqual([thumbs]);
  });

  it('is the same for the same sources, and is named by a hash of its content', async () => {
    expect(await buildSdk()).toEqual(files);
    for (const { stableName, hashedName } of filesOf(files)) {
      expect(hashedName).toMatch(/^[a-z-]+-[0-9a-f]{8}\.m?js$/);
      expect(hashedName.replace(/-[0-9a-f]{8}/, '')).toBe(stableName);
    }
  });

  it('names the widget by its content and draws nothing without it', () => {
    const { script, module, headless, widget } = files;
    expect(module.text).toContain(widget.hashedName);
    expect(script.text).toContain(/-([0-9a-f]{8})/.exec(widget.hashedName)?.[1]);
    for (const { text } of [script, module]) expect(text).not.toContain('attachShadow');
    expect(headless.text).not.toContain('widget-');
    expect(headless.text).not.toContain('attachShadow');
  });

  it('retries a failed import at an address that no bundler resolves', () => {
    const { script, module, headless } = files;
    for (const { text } of [module, headless])
      expect(text).toContain('import(/*@vite-ignore*//*webpackIgnore:true*/(');
    for (const { text } of [script, module, headless]) expect(text).not.toContain('unknownToBundlers');
  });

  it('never writes markup and never evaluates text', () => {
    for (const { text } of filesOf(files)) {
      expect(text).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      );
    }
  });
});
