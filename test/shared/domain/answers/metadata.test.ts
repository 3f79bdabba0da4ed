import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  fitLabels,
  fitTraits,
  LABEL_NAME,
  MOST_LABELS,
  MOST_TRAIT_BYTES,
  MOST_TRAITS,
} from '../../../../shared/domain/answers/metadata.ts';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
const ofBytes = (bytes: number) => ({ k: 'v'.repeat(bytes - bytesOf({ k: '' })) });

describe('traits sent by a page', () => {
  it('keeps flat traits unchanged', () => {
    const flat = { plan: 'team', seats: 12, trial: false, since: null, '': 'no name' };
    expect(fitTraits(flat)).toEqual(flat);
  });

  it('keeps nested traits as JSON text, in their place', () => {
    const kept = fitTraits({ orgs: [{ id: 1 }], plan: 'team', owner: {} });
    expect(Object.entries(kept)).toEqual([
      ['orgs', '[{"id":1}]'],
      ['plan', 'team'],
      ['owner', '{}'],
    ]);
  });

  it('fits exactly 4,096 bytes', () => {
    expect(fitTraits(ofBytes(4_096))).toEqual(ofBytes(4_096));
    expect(fitTraits(ofBytes(4_097))).toEqual({});
  });

  it('leaves out a trait that is too large and keeps the later ones', () => {
    expect(fitTraits({ a: 1, large: 'x'.repeat(5_000), b: 2 })).toEqual({ a: 1, b: 2 });
  });

  it('gives flat traits room before nested ones', () => {
    const { k } = ofBytes(4_000);
    expect(fitTraits({ nested: ['y'.repeat(500)], k })).toEqual({ k });
  });

  it('leaves out a number that JSON cannot represent', () => {
    expect(fitTraits({ a: Number.POSITIVE_INFINITY, b: Number.NaN, c: 1 })).toEqual({ c: 1 });
  });

  it('keeps only flat traits within the limits, and all traits that are flat and fit', () => {
    const sent = fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), fc.string({ maxLength: 900 })), {
      maxKeys: 80,
    });
    fc.assert(
      fc.property(sent, (traits) => {
        const kept = fitTraits(traits);
        expect(Object.keys(kept).length).toBeLessThanOrEqual(MOST_TRAITS);
        expect(bytesOf(kept)).toBeLessThanOrEqual(MOST_TRAIT_BYTES);
        const values = Object.values(traits);
        const isFlat = values.every((value) => value === null || typeof value !== 'object');
        if (isFlat && values.length <= MOST_TRAITS && bytesOf(traits) <= MOST_TRAIT_BYTES) {
          expect(JSON.stringify(kept)).toBe(JSON.stringify(traits));
        }
      }),
    );
  });
});

describe('labels of a turn', () => {
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
});
