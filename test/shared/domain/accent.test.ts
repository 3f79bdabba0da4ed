import { describe, expect, it } from 'vitest';
import { parseAccent, readableAccent } from '../../../shared/domain/accent.ts';

describe('an accent color', () => {
  it.each([
    ['#0a7', '#00aa77'],
    ['#0A7b3C', '#0a7b3c'],
    ['0a7', undefined],
    ['#0a', undefined],
    ['#00aa777', undefined],
    ['#00aa7g', undefined],
    ['#0a7\n', undefined],
    ['#0a7;color:red', undefined],
    ['', undefined],
  ])('parses %j as %j', (text, accent) => expect(parseAccent(text)).toBe(accent));
});

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [one, other]
    .map((text) => {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
        const share = Number.parseInt(text.slice(at, at + 2), 16) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    })
    .sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

describe('its text color', () => {
  it('is readable on white and on a dark background, for any color', () => {
    const parts = ['00', '33', '80', 'cc', 'ff'];
    for (const ground of ['#ffffff', '#222222'])
      for (const red of parts)
        for (const green of parts)
          for (const blue of parts) {
            const accent = readableAccent(`#${red}${green}${blue}`, ground) ?? ground;
            expect([accent, contrast(accent, ground) >= (ground === '#ffffff' ? 4.5 : 7)]).toEqual([
              accent,
              true,
            ]);
          }
  });

  it('stays the same if readable, and is darkened no more than needed', () => {
    expect(readableAccent('#3344cc', '#ffffff')).toBe('#3344cc');
    const darker = readableAccent('#0a7', '#ffffff') ?? '';
    expect(contrast(darker, '#ffffff')).toBeLessThan(4.8);
  });

  it('is as saturated on a dark background', () => {
    expect(readableAccent('#2f6b4a', '#222222')).toBe('#6bbe90');
  });

  it('is undefined for an invalid color', () => {
    expect(readableAccent('red', '#ffffff')).toBeUndefined();
  });
});
