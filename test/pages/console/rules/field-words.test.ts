import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { WIDGET_LANGUAGES } from '../../../../pages/console/rules/field-words.ts';

it('languages of the widget are those that it has words of', () => {
  const files = readdirSync(new URL('../../../../shared/words/languages', import.meta.url));
  expect(WIDGET_LANGUAGES).toEqual(files.map((file) => file.replace('.ts', '')).sort());
});
