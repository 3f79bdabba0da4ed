/** Answering from a server with a binding, as mint returns it: what its person said in Slack, in a mail, on a phone. */

import type { Endpoint, Send } from '../../shared/contract/clients/send.ts';

/** A show-token with what it attests. That of a link needs no session values, which it carries itself. */
export interface AnswerableBinding {
  readonly surveyId: string;
  readonly showToken: string;
  readonly sessionId?: string | null | undefined;
  readonly traceId?: string | null | undefined;
  readonly observationId?: string | null | undefined;
}

/** An answer (docs/contract.md §3.4). What does not fit beside the rating is dropped and named. */
export interface Rating {
  /** On the survey's scale; of thumbs 0 or 1. */
  readonly rating: number;
  /** At most 5,000 characters. */
  readonly text?: string | undefined;
  /** The person agrees to be contacted. */
  readonly followUpRequested?: boolean | undefined;
  /** Where to reach a person who is not identified; at most 256 bytes. */
  readonly contact?: string | undefined;
  /** Codes of the survey's reasons; kept where the rating is low, in the survey's order. */
  readonly reasons?: readonly string[] | undefined;
}

/** An answer as it is given; a revision keeps its channel. */
export interface GivenRating extends Rating {
  /** Through which it came, such as `slack`: `^[a-z][a-z0-9-]{0,31}$`, else it is dropped. */
  readonly channel?: string | undefined;
}

/** A place in the sequence of changes: the last revision known + 1; the first is 1. */
export interface Revision {
  readonly revision: number;
}

/** What was stored. */
export interface Recorded {
  readonly ok: true;
  /** Of the response, or of the dismissal. */
  readonly id: string;
  /** When it was stored: ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** `text` where addresses or numbers in it are not stored, as the project has it. */
  readonly redacted?: 'text'[];
  /** Paths of what was sent and not kept. */
  readonly dropped?: string[];
}

/** What stands now. */
export interface Revised extends Recorded {
  readonly revision: number;
}

/**
 * The key needs the scope `mint`. A call that the client repeats because a reply was lost stores nothing twice: where the
 * token turns out to be used by the same kind of answer, and not before the call began (by the reply's `Date`, or else
 * this machine's clock; 2 s of slack), it was the client's own. In all other cases a used token rejects with
 * `token_used`.
 */
export interface Answers<Options> {
  /** Stores a rating and uses the token up. */
  rate(binding: AnswerableBinding, answer: GivenRating, options?: Options): Promise<Recorded>;
  /** Replaces the answer; what is left out is cleared. The same revision with the same content again changes nothing. */
  revise(binding: AnswerableBinding, answer: Rating & Revision, options?: Options): Promise<Revised>;
  /** Takes the answer back. The token stays used. */
  withdraw(binding: AnswerableBinding, revision: Revision, options?: Options): Promise<Revised>;
  /** Records that the person did not want to answer, and uses the token up. */
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

/** Only what the token attests: a binding may carry more, as the one of mint does. */
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
