import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fitLabels, LABEL_NAME, MOST_LABELS } from '../../../../shared/domain/answers/metadata.ts';

it('keeps the first four valid labels unchanged', () => {
  const good = { model: 'large-2', arm: 'ü'.repeat(32), [`a${'-'.repeat(31)}`]: ' ', z9: '\0' };
  expect(fitLabels({ ...good, fifth: 'x' })).toEqual(good);
  const bad = {
    Model: 'x',
    '9a': 'x',
    [`a${'b'.repeat(32)}`]: 'x',
    __proto__x: 'x',
    empty: '',
    long: `${'ü'.repeat(32)}x`,
    lone: '\ud800',
    number: 7,
    nested: { a: 'b' },
    nothing: null,
  };
  expect(fitLabels({ ...bad, model: 'a' })).toEqual({ model: 'a' });
  expect(fitLabels(JSON.parse('{"__proto__": "x", "constructor": "y"}'))).toEqual({ constructor: 'y' });
});

it('keeps a subset of any input, and only valid labels', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (sent) => {
      const kept = Object.entries(fitLabels(sent));
      expect(kept.length).toBeLessThanOrEqual(MOST_LABELS);
      for (const [name, value] of kept) {
        expect(sent[name]).toBe(value);
        expect(name).toMatch(LABEL_NAME);
      }
    }),
  );
});
