import type { Locator } from 'playwright-core';

export const NOWHERE = { left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 };
export type Box = typeof NOWHERE;

export async function boxOf(part: Locator): Promise<Box> {
  const { x, y, width, height } = (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return { left: x, right: x + width, top: y, bottom: y + height, width, height };
}

export const middleOf = ({ left, right, top, bottom }: Box) => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
});
