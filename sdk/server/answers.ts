/** Answers from a server with a minted binding, such as a reply in Slack, by e-mail or on a phone. */

import type { Endpoint, Send } from '../../shared/contract/clients/send.ts';

/** A show-token with the values it attests. The token of a link contains its session values. */
export interface AnswerableBinding {
  /** Id of the survey. */
  readonly surveyId: string;
  /** The single-use token. */
  readonly showToken: string;
  /** Your id of the conversation or session. */
  readonly sessionId?: string | null | undefined;
  /** Id of the trace in your observability platform. */
  readonly traceId?: string | null | undefined;
  /** Id of the observation within the trace. */
  readonly observationId?: string | null | undefined;
}

/** A code, several codes, a number or a text of at most 1,000 characters. `null` if the person skipped the question. */
export type QuestionAnswer = string | number | readonly string[] | null;

/** An answer (docs/contract.md §3.4). Optional details that are invalid are dropped and listed in `dropped`. */
export interface Rating {
  /** On the survey's scale; thumbs: 0 or 1; choice: `rating` of the choice in the definition; open: 0. */
  readonly rating: number;
  /** At most 5,000 characters. */
  readonly text?: string | undefined;
  /** The person agrees to be contacted. */
  readonly followUpRequested?: boolean | undefined;
  /** An address of a person who is not identified; at most 256 bytes. */
  readonly contact?: string | undefined;
  /** Codes of the survey's reasons; kept if the rating is low, in the survey's order. */
  readonly reasons?: readonly string[] | undefined;
  /** Answers to the survey's `questions`, by id. `null`: the person skipped the question; missing: they did not reach it. */
  readonly answers?: Readonly<Record<string, QuestionAnswer>> | undefined;
}

/** A first answer. A revision keeps its channel. */
export interface GivenRating extends Rating {
  /** Its origin, such as `slack`: `^[a-z][a-z0-9-]{0,31}$`, otherwise dropped. */
  readonly channel?: string | undefined;
}

/** The last known revision + 1; the first is 1. */
export interface Revision {
  /** 1 or more. */
  readonly revision: number;
}

/** The stored answer. */
export interface Recorded {
  /** Failures reject with a `CanvassError`. */
  readonly ok: true;
  /** Id of the response or dismissal. */
  readonly id: string;
  /** When it was stored: ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Fields, such as `text` or `answers.more`, from which the project removed addresses or numbers. */
  readonly redacted?: string[];
  /** Paths of fields that were sent but not stored. */
  readonly dropped?: string[];
}

/** The current answer. */
export interface Revised extends Recorded {
  /** The stored revision. */
  readonly revision: number;
}

/**
 * Calls for answers. The key needs the scope `mint`. A retry after a lost reply stores nothing twice: if the same kind
 * of answer used the token since the call began (by the reply's `Date`, or else the local clock, ±2 s), the call
 * succeeds. Otherwise a used token rejects with `token_used`.
 */
export interface Answers<Options> {
  /** Stores a rating and uses up the token. */
  rate(binding: AnswerableBinding, answer: GivenRating, options?: Options): Promise<Recorded>;
  /** Replaces the answer; omitted fields are cleared. Repeating a revision with the same content changes nothing. */
  revise(binding: AnswerableBinding, answer: Rating & Revision, options?: Options): Promise<Revised>;
  /** Withdraws the answer. The token stays used. */
  withdraw(binding: AnswerableBinding, revision: Revision, options?: Options): Promise<Revised>;
  /** Records that the person declined to answer, and uses up the token. */
  dismiss(binding: AnswerableBinding, options?: Options): Promise<Recorded>;
}

const RESPONSE: Endpoint = {
  method: 'POST',
  path: '/v1/sdk/responses',
  replyField: 'id',
  storedOnce: 'response',
};
const DISMISSAL: Endpoint = {
  method: 'POST',
  path: '/v1/dismissals',
  replyField: 'id',
  storedOnce: 'dismissal',
};
const REVISION: Endpoint = { method: 'POST', path: '/v1/sdk/revisions', replyField: 'revision' };

/** Minted bindings contain more than tokens attest. */
function presented({ surveyId, showToken, sessionId, traceId, observationId }: AnswerableBinding) {
  return { surveyId, showToken, sessionId, traceId, observationId };
}

export function createAnswers<Options>(send: Send<Options>): Answers<Options> {
  return {
    rate: (binding, answer, options) =>
      send(RESPONSE, { body: { ...answer, ...presented(binding) } }, options),
    revise: (binding, answer, options) =>
      send(REVISION, { body: { ...answer, ...presented(binding) } }, options),
    withdraw: (binding, { revision }, options) =>
      send(REVISION, { body: { revision, withdraw: true, ...presented(binding) } }, options),
    dismiss: (binding, options) => send(DISMISSAL, { body: presented(binding) }, options),
  };
}
