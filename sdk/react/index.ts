export type {
  AnswerDetail,
  AnySurveys,
  Ask,
  Binding,
  Canvass,
  CanvassError,
  Delivery,
  Events,
  LocalisedSurvey,
  MessageRating,
  RatingDetail,
  Reason,
  ReasonOf,
  Refusal,
  SlugOf,
  Strings,
  Survey,
  Traits,
  UserToken,
} from '@canvass-surveys/browser';
export { Feedback, type FeedbackProps } from './feedback.ts';
export { InlineSurvey, type InlineSurveyProps } from './inline-survey.ts';
export { CanvassProvider, type CanvassProviderProps, useCanvass, useCanvassEvent } from './provider.ts';
export { useFeedback } from './use-feedback.ts';
