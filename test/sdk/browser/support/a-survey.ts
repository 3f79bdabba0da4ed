import type { Survey } from '../../../../sdk/browser/client/survey.ts';

export function aSurvey(fields: Partial<Survey> = {}): Survey {
  return {
    id: 'sv_1',
    slug: 'recommend',
    type: 'nps',
    question: 'How likely are you to recommend us?',
    presentation: 'corner',
    trigger: 'manual',
    scale: { min: 0, max: 10 },
    ...fields,
  };
}
