import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TEXT_CHARACTERS } from '../../../../shared/domain/answers/answer.ts';
import { redactText } from '../../../../shared/domain/answers/redaction.ts';
import { SEED } from '../../../support/random.ts';
import { LANGUAGES, redactionCorpus } from './redaction-corpus.ts';

const PIECES = [
  ...['0', '1', '4', '12', '030', '2345678', '4242', '424242', '٠٥', '2026', '0'.repeat(20)],
  ...[' ', '-', ' - ', ' / ', '/', '.', ',', ':', '(', ')', '+', '#', '€', '\u00a0', '\n', '[number]'],
  ...['@', 'a', 'é', 'и', '京', 'example.com', '.de', 'xn--p1ai', 'No. ', 'EUR', '😀'],
  ...[
    'anna@example.com',
    '0171 2345678',
    '+49 30 123456',
    '(089) 123 45',
    '4242 4242 4242 4242',
    '12.03.2026',
  ],
];
const anyText = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));

describe('redaction of a corpus in more than twenty languages', () => {
  const corpus = redactionCorpus(SEED);
  const isMissed = ({ text, span }: { text: string; span: string }) => redactText(text).includes(span);

  it('removes at least 95 % of marked numbers and addresses, and at least 85 % in each language', () => {
    expect(Object.keys(LANGUAGES).length).toBeGreaterThanOrEqual(20);
    const recallOf = (language?: string): number => {
      const marked = corpus.marked.filter((each) => language === undefined || each.language === language);
      expect(marked.length).toBeGreaterThanOrEqual(25);
      return 1 - marked.filter(isMissed).length / marked.length;
    };
    expect(recallOf()).toBeGreaterThanOrEqual(0.95);
    for (const language of Object.keys(LANGUAGES)) expect(recallOf(language)).toBeGreaterThanOrEqual(0.85);
  });

  it('changes at most 1 % of other texts, and removes words around at most as many matches', () => {
    for (const language of Object.keys(LANGUAGES)) {
      const others = corpus.unmarked.filter((each) => each.language === language);
      expect(others.length).toBeGreaterThanOrEqual(100);
    }
    const changed = corpus.unmarked.filter(({ text }) => redactText(text) !== text);
    expect(changed.length / corpus.unmarked.length).toBeLessThanOrEqual(0.01);
    const gone = corpus.marked.filter((each) => !isMissed(each));
    const cut = gone.filter(({ text, without }) => redactText(text) !== without);
    expect(cut.length / gone.length).toBeLessThanOrEqual(0.01);
  });
});

describe('redacted texts', () => {
  it.each([
    ['write to Max.Power+shop@mail.example.co.uk, please', 'write to [e-mail], please'],
    ['<иван@почта.рф>', '<[e-mail]>'],
    ['メールはtaro＠example.jpです', 'メールは[e-mail]です'],
    ['4242 4242 4242 4242, 123', '[number], 123'],
    ['4242 4242 4242 4242 123', '[number] 123'],
    ['amex 378282246310005', 'amex [number]'],
    ['030 1234567 / 0171 2345678', '[number] / [number]'],
    ['on 12.03.2026 0171 2345678', 'on 12.03.2026 [number]'],
    ['Tel. Nr. 030 123456', 'Tel. Nr. [number]'],
    ['(0171 2345678) or 1) 030 123456', '([number]) or 1) [number]'],
    ['8(912)345-67-89, +49 (0)30-123456, (+34) 612 345 678', '[number], [number], [number]'],
    ['phone no. +49 30 123456, WhatsApp+44 20 7123 4567', 'phone no. [number], WhatsApp[number]'],
    ['٠٥٠ ١٢٣ ٤٥٦٧', '[number]'],
    ['+49\u00a0(0)30 123\u201145', '[number]'],
  ])('stores %j as %j', (text, redacted) => {
    expect(redactText(text)).toBe(redacted);
  });
});

describe('unchanged texts', () => {
  it.each([
    ['a number that is no card, by its last digit', '4242 4242 4242 4243'],
    ['a number with the last digit of a card that no issuer has', '1234 5678 9012 3452'],
    ['an account, whose groups may be a card', 'DE12 4242 4242 4242 4242 00'],
    ['digits in a row', 'it is 01712345678'],
    ['a number of something', 'No. 123 456 789, # 0171 2345678, order A-0171 2345678'],
    ['an amount', '123 456 789 € or CZK 612 345 678'],
    ['sizes, which rise', '36 38 40 42'],
    ['days and times', '03/04 - 05/06, 08.30 - 17.00, 01/2026 - 12/2026'],
    ['postal codes', '01310-100 and 02139-4307'],
    ['a package and a handle', 'react@18.2.0 of @anna'],
    ['a percentage', '+12345678 %'],
  ])('%s: %j', (_, text) => {
    expect(redactText(text)).toBe(text);
  });

  it('accepts an absent text', () => {
    expect(redactText(undefined)).toBeUndefined();
  });
});

describe('any text', () => {
  it('does not change a redacted text again', () => {
    const property = fc.property(anyText, (text) => {
      const redacted = redactText(text);
      expect(redactText(redacted)).toBe(redacted);
    });
    fc.assert(property, { numRuns: 2_000 });
  });

  it('keeps the remaining text in its order', () => {
    const property = fc.property(anyText, (text) => {
      const between = redactText(text).split(/\[e-mail\]|\[number\]/);
      let from = 0;
      for (const kept of between) {
        const at = text.indexOf(kept, from);
        expect(at).toBeGreaterThanOrEqual(from);
        from = at + kept.length;
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('stores at most the allowed characters, and redacts again after cutting', () => {
    const most = 'a@b.cd '.repeat(TEXT_CHARACTERS / 7);
    const redacted = redactText(most);
    expect(most.length).toBeLessThanOrEqual(TEXT_CHARACTERS);
    expect([...redacted].length).toBe(TEXT_CHARACTERS);
    expect(redactText(redacted)).toBe(redacted);
    const property = fc.property(fc.nat(30), anyText, (before, end) => {
      const text = [...'a@b.cd 😀'.repeat(700)].slice(before, before + TEXT_CHARACTERS - 300).join('') + end;
      const stored = redactText([...text].slice(0, TEXT_CHARACTERS).join(''));
      expect([...stored].length).toBeLessThanOrEqual(TEXT_CHARACTERS);
      expect(redactText(stored)).toBe(stored);
    });
    fc.assert(property, { numRuns: 50 });
  });

  // With quadratic time, 10^10 steps would exceed the timeout.
  it.each(PIECES.concat(['1 ', '1 / ', '0 ', 'a@', 'é.', '+1', '(1', '1)', 'DE12 ', 'и.', '4242 ', '12:3']))(
    'takes time linear in the length of a hundred thousand characters of %j',
    (piece) => {
      const text = piece.repeat(100_000 / piece.length);
      expect(redactText(text).length).toBeLessThanOrEqual(text.length);
    },
  );
});
