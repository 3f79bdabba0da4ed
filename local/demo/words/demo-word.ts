/** Something that people say to a survey of the demo. */
export interface DemoWord {
  /** Lowest and highest rating with which it goes. */
  readonly ratings: readonly [from: number, to: number];
  readonly text: string;
  /** Of people of this country alone. */
  readonly country?: string;
  /** The reason that goes with it. */
  readonly reason?: string;
}

type Line = readonly [text: string, more?: Pick<DemoWord, 'country' | 'reason'>];

/** Lines that go with the same ratings. */
export const rated = (from: number, to: number, ...lines: readonly Line[]): DemoWord[] =>
  lines.map(([text, more]) => ({ ratings: [from, to], text, ...more }));

const CH = { country: 'CH' } as const;
const DE = { country: 'DE' } as const;
const FR = { country: 'FR' } as const;

export const IN = { CH, DE, FR } as const;
