/** See docs/contract.md §17.4. */

export function drawSample(weights: readonly number[], size: number, random: () => number): number[] {
  const counts = weights.map(() => 0);
  for (let person = 0; person < size; person += 1) {
    let left = random();
    let value = 0;
    while (value < weights.length - 1 && left >= (weights[value] ?? 0)) {
      left -= weights[value] ?? 0;
      value += 1;
    }
    counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** Shares of detractors, passives and promoters. */
export const NPS_SHAPES = {
  bad: [0.45, 0.3, 0.25],
  even: [0.25, 0.4, 0.35],
  good: [0.12, 0.28, 0.6],
  loved: [0.05, 0.2, 0.75],
  split: [0.4, 0.15, 0.45],
};

/** Shares of people who are satisfied, would miss the product, or gave a thumbs-up. */
export const SHARES = { few: 0.2, some: 0.4, half: 0.5, most: 0.7, nearly: 0.85 };

/** Shares of the ratings 1 to 7. */
export const SCALE_SHAPES = {
  flat: [1, 1, 1, 1, 1, 1, 1].map((weight) => weight / 7),
  hill: [0.02, 0.08, 0.2, 0.4, 0.2, 0.08, 0.02],
  easy: [0.03, 0.04, 0.06, 0.1, 0.22, 0.3, 0.25],
  split: [0.3, 0.1, 0.05, 0.05, 0.05, 0.15, 0.3],
  hard: [0.2, 0.22, 0.2, 0.15, 0.12, 0.07, 0.04],
};
