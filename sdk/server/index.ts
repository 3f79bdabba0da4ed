export type {
  AnswerableBinding,
  Answers,
  GivenRating,
  QuestionAnswer,
  Rating,
  Recorded,
  Revised,
  Revision,
} from './answers.ts';
export type { AnySurveys, SlugOf } from './calls.ts';
export { type CanvassClient, type CanvassClientOptions, createCanvassClient } from './canvass-client.ts';
export { CanvassError, type CanvassErrorCode } from './canvass-error.ts';
export type * from './contract-types.ts';
export type { CallOptions } from './transport.ts';
