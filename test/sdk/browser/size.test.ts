import { beforeAll, describe, expect, it } from 'vitest';
import { BUDGET, buildSdk, gzipBytes, type SdkBuild, sizeReport } from '../../../sdk/build-browser.ts';

let files: SdkBuild;

beforeAll(async () => {
  files = await buildSdk();
});

describe('what a page loads', () => {
  it('keeps to its budget after gzip', () => {
    const { script, module, widget } = files;
    const report = sizeReport(files);
    expect(gzipBytes(script), report).toBeLessThanOrEqual(BUDGET.client);
    expect(gzipBytes(module), report).toBeLessThanOrEqual(BUDGET.client);
    expect(gzipBytes(widget), report).toBeLessThanOrEqual(BUDGET.widget);
    expect(gzipBytes(script) + gzipBytes(widget), report).toBeLessThanOrEqual(BUDGET.together);
  });

  it('has the budget of the promise: 2.5, 4 and 6 KB', () => {
    expect(BUDGET).toEqual({ client: 2_560, widget: 4_096, together: 6_144 });
  });

  it('is the same for the same sources, under a name of its content', async () => {
    expect(await buildSdk()).toEqual(files);
    for (const { stableName, hashedName } of Object.values(files)) {
      expect(hashedName).toMatch(/^[a-z]+-[0-9a-f]{10}\.m?js$/);
      expect(hashedName.replace(/-[0-9a-f]{10}/, '')).toBe(stableName);
    }
  });

  it('names the widget by its content and draws nothing without it', () => {
    const { script, module, headless, widget } = files;
    for (const { text } of [script, module]) {
      expect(text).toContain(widget.hashedName);
      expect(text).not.toContain('attachShadow');
    }
    expect(headless.text).not.toContain('widget');
    expect(headless.text).not.toContain('attachShadow');
  });

  it('never writes markup and never evaluates text', () => {
    for (const { text } of Object.values(files)) {
      expect(text).not.toMatch(
        /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/,
      );
    }
  });
});
