export const STEPS = ['question', 'followUp', 'thanks'] as const;
export type Step = (typeof STEPS)[number];

export interface Show<Survey> {
  readonly type: 'show';
  readonly survey: Survey;
  readonly language: string;
  readonly theme: 'light' | 'dark';
  readonly step: Step;
}

export type Said = { readonly type: 'ready' } | { readonly type: 'step'; readonly step: Step };

const isStep = (value: unknown): value is Step => STEPS.some((step) => step === value);

export function isSaid(data: unknown): data is Said {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return data.type === 'ready' || (data.type === 'step' && 'step' in data && isStep(data.step));
}
