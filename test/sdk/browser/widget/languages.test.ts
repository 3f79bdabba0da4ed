import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENGLISH } from '../../../../sdk/browser/thumbs/control.ts';
import { wordsIn } from '../../../../sdk/browser/widget/languages.ts';
import { STRINGS } from '../../../../shared/words/strings.ts';

const FOLDER = new URL('../../../../shared/words/languages/', import.meta.url);
const LANGUAGES = readdirSync(FOLDER).map((file) => basename(file, '.ts'));

describe('the languages of the widget', () => {
  it('are twenty besides English', () => {
    expect(LANGUAGES).toHaveLength(20);
  });

  it.each(LANGUAGES)('have every word in %s, and the right number for each scale', async (language) => {
    const found = await wordsIn(language);
    const { words } = found ?? {};
    const shape = (strings: object) =>
      Object.fromEntries(
        Object.entries(strings).map(([name, value]) => [name, Array.isArray(value) ? value.length : 1]),
      );
    expect(shape(words ?? {})).toEqual(shape({ ...STRINGS, thumbs: ENGLISH.thumbs }));
    const all = Object.values(words ?? {}).flat();
    expect(all.filter((word) => word.trim() !== word || word === '' || !word.isWellFormed())).toEqual([]);
    for (const scale of [words?.nps, words?.csat, words?.ces, words?.pmf, words?.thumbs])
      expect(new Set(scale).size).toBe(scale?.length);
    expect(found?.direction).toBe(['ar', 'he'].includes(language) ? 'rtl' : 'ltr');
  });

  it.each([
    ['DE-at', 'Senden'],
    ['no', 'Send'],
    ['zh-Hans-CN', '提交'],
    ['en', undefined],
    ['tlh', undefined],
    ['', undefined],
  ])('are found by tag: %s', async (tag, send) => {
    expect((await wordsIn(tag))?.words.send).toBe(send);
  });
});
