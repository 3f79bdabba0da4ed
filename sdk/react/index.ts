export type {
  AnswerDetail,
  AnySurveys,
  Ask,
  Binding,
  Canvass,
  CanvassError,
  Events,
  LocalisedSurvey,
  MessageRating,
  RatingDetail,
  Reason,
  ReasonOf,
  SlugOf,
  Strings,
  Survey,
  Traits,
  UserToken,
} from '@canvass-surveys/browser';
export { Feedback, type FeedbackProps } from './feedback.ts';
export { InlineSurvey, type InlineSurveyProps } from './inline-survey.ts';
export { CanvassProvider, type CanvassProviderProps, useCanvass } from './provider.ts';
export { useCanvassEvent } from './use-canvass-event.ts';
export { useFeedback } from './use-feedback.ts';
