/** What the console and the frame of a preview say to each other. */

/** What a person is shown one after the other. */
export const STEPS = ['question', 'followUp', 'thanks'] as const;
export type Step = (typeof STEPS)[number];

/** From the console: what is to be seen. */
export interface Show<Survey> {
  readonly type: 'show';
  readonly survey: Survey;
  /** BCP 47 tag, of the page that it would be asked on. */
  readonly language: string;
  readonly theme: 'light' | 'dark';
  readonly step: Step;
}

/** From the frame: it listens now, or somebody has clicked on to another step. */
export type Said = { readonly type: 'ready' } | { readonly type: 'step'; readonly step: Step };

const isStep = (value: unknown): value is Step => STEPS.some((step) => step === value);

/** @param data of a message whose source is the frame */
export function isSaid(data: unknown): data is Said {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return data.type === 'ready' || (data.type === 'step' && 'step' in data && isStep(data.step));
}
