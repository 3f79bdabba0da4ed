/** Which survey a request is about: by its id or by its slug. */

import * as z from 'zod/mini';
import { surveyId } from './fields.ts';

export const namedSurvey = () => ({
  surveyId: z.exactOptional(surveyId()),
  surveySlug: z.exactOptional(surveyId()),
});

interface NamedSurvey {
  readonly surveyId?: string | undefined;
  readonly surveySlug?: string | undefined;
}

export const atMostOneSurvey = () =>
  z.refine<NamedSurvey>((input) => input.surveySlug === undefined || input.surveyId === undefined, {
    path: ['surveySlug'],
    error: 'give either surveySlug or surveyId',
  });

export const exactlyOneSurvey = () =>
  z.refine<NamedSurvey>((input) => (input.surveySlug === undefined) !== (input.surveyId === undefined), {
    path: ['surveySlug'],
    error: 'give either surveySlug or surveyId',
  });
