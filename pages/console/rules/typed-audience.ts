/** Of whom a survey is said to be while it is being typed: what has only been begun does not count yet. */

import { type DescribedAudience, describeAudience } from '../../../shared/domain/surveys/audience.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';

const isBegun = (text: unknown): boolean => text === '' || (Array.isArray(text) && text.length === 0);

export function describeTyped({ targeting, pages, on, ...survey }: WrittenSurvey): DescribedAudience {
  const whole = targeting?.filter(({ trait, value }) => trait !== '' && !isBegun(value)) ?? [];
  const named = pages?.filter((page) => page !== '') ?? [];
  return describeAudience({
    ...survey,
    ...(whole.length > 0 && { targeting: whole }),
    ...(named.length > 0 && { pages: named }),
    ...(on !== undefined && on.event !== '' && { on }),
  });
}
