/** WCAG 2.2, 1.4.3 for text. On dark backgrounds 1.4.6 applies, because text of lower contrast looks disabled there. */
const LEAST_CONTRAST = { light: 4.5, dark: 7 } as const;
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

function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Keeps hue and saturation (HSL, CSS Color 4, §7). */
function lit(rgb: Rgb, lightness: number): Rgb {
  const own = (Math.max(...rgb) + Math.min(...rgb)) / 510;
  const room = (at: number) => 1 - Math.abs(2 * at - 1);
  const spread = room(lightness) / (room(own) || 1);
  const part = (of: number) => Math.round(255 * lightness + (of - 255 * own) * spread);
  return [part(rgb[0]), part(rgb[1]), part(rgb[2])];
}

/**
 * Changes the lightness as little as possible. The result is also readable with text and background exchanged.
 * @param ground `#rrggbb`
 */
export function readableAccent(accent: string, ground: string): string | undefined {
  const [own, behind] = [parse(accent), parse(ground)];
  if (own === undefined || behind === undefined) return undefined;
  const [end, least] =
    luminance(behind) > 0.18 ? ([0, LEAST_CONTRAST.light] as const) : ([1, LEAST_CONTRAST.dark] as const);
  const start = (Math.max(...own) + Math.min(...own)) / 510;
  for (let step = 0; step <= STEPS; step += 1) {
    const near = lit(own, start + ((end - start) * step) / STEPS);
    if (contrast(near, behind) >= least) return textOf(near);
  }
  return undefined;
}
