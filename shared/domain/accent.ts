/** The colour of a project, and how it is made readable. */

/** Of text, WCAG 2.2, 1.4.3. */
const LEAST_CONTRAST = 4.5;
const STEPS = 50;

type Rgb = readonly [red: number, green: number, blue: number];

const HEX = /^#(?:([0-9a-f])([0-9a-f])([0-9a-f])|([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2}))$/i;

function parse(text: string): Rgb | undefined {
  const [red, green, blue] = (HEX.exec(text) ?? [])
    .slice(1)
    .filter((part) => part !== undefined)
    .map((part) => Number.parseInt(part.length === 1 ? part + part : part, 16));
  return red === undefined || green === undefined || blue === undefined ? undefined : [red, green, blue];
}

const textOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

/** `#rgb` or `#rrggbb` as `#rrggbb` in lower case; undefined for anything else. */
export function parseAccent(text: string): string | undefined {
  const rgb = parse(text);
  return rgb && textOf(rgb);
}

/** WCAG 2.2, "relative luminance". */
function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

const isReadable = (one: Rgb, other: Rgb): boolean => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05) >= LEAST_CONTRAST;
};

/**
 * The colour mixed with as little black, or white on a dark ground, as makes text of it readable there, and text of the
 * ground's colour readable on it. Undefined for what is no colour.
 * @param ground `#rrggbb`
 */
export function readableAccent(accent: string, ground: string): string | undefined {
  const [own, behind] = [parse(accent), parse(ground)];
  if (own === undefined || behind === undefined) return undefined;
  const end = luminance(behind) > 0.18 ? 0 : 255;
  for (let step = 0; step <= STEPS; step += 1) {
    const mix = (part: number) => Math.round(part + ((end - part) * step) / STEPS);
    const mixed: Rgb = [mix(own[0]), mix(own[1]), mix(own[2])];
    if (isReadable(mixed, behind)) return textOf(mixed);
  }
  return undefined;
}
