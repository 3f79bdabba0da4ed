export const STEPS = ['question', 'followUp', 'thanks'] as const;
export type Step = (typeof STEPS)[number];

export interface Show<Survey> {
  readonly type: 'show';
  readonly survey: Survey;
  readonly language: string;
  readonly theme: 'light' | 'dark';
  readonly step: Step;
  /** Chosen on the way to the step. Undefined if no text depends on it. */
  readonly rating: number | undefined;
}

export type Said =
  | { readonly type: 'ready' }
  | { readonly type: 'step'; readonly step: Step; readonly rating: number | undefined };

const isStep = (value: unknown): value is Step => STEPS.some((step) => step === value);

export function isSaid(data: unknown): data is Said {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  if (data.type === 'ready') return true;
  if (data.type !== 'step' || !('step' in data && 'rating' in data)) return false;
  return isStep(data.step) && ['number', 'undefined'].includes(typeof data.rating);
}
