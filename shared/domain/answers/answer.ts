/**
 * An answer is a response or a dismissal: one row that is at once the used token, the suppression, the quiet-period
 * clock and the cap counter. There is no second record to fall out of step. And what a show-token says, and whether a
 * submission agrees with it (docs/contract.md §7).
 */

import { DAY } from '../duration.ts';
import {
  type FieldName,
  type FieldsIn,
  type FieldUse,
  type KindOf,
  type Told,
  tellFields,
} from './answer-fields.ts';
import type { Labels } from './labels.ts';

/** The most that is kept of what a person wrote: characters, as code points. */
export const TEXT_CHARACTERS = 5_000;

/** A person answered, and a model had asked: such answers are kept apart. */
export const MODEL_REQUESTED = 'model-requested';
/** Of answers that people gave to a survey that was asked. */
export const ASKED_KINDS = ['identified', 'anon-device', 'anon-conversation'] as const;
export const IDENTITY_KINDS = [...ASKED_KINDS, MODEL_REQUESTED] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** Score states of a linked response (docs/contract.md §10.1). `delivered` is final. */
export const SCORE_STATES = ['pending', 'failed', 'delivered'] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

export type TraitValue = string | number | boolean | null;
export type Traits = Readonly<Record<string, TraitValue>>;

export interface SessionIds {
  readonly sessionId?: string | undefined;
  readonly observationId?: string | undefined;
  readonly traceId?: string | undefined;
}

interface AnswerBase {
  readonly id: string;
  readonly tokenId: string;
  readonly projectId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** Fresh per invocation: tells our own retried write from a reuse of the token. */
  readonly writeId: string;
  /** Milliseconds since the epoch. */
  readonly tokenExpiresAt: number;
  /** The respondent was named by a server or a signed token, not by the page. */
  readonly verified?: true | undefined;
  /** It sets off folding the respondent's history. */
  readonly fold?: true | undefined;
  /** Of a probe: when its row goes by itself, milliseconds since the epoch. */
  readonly rowExpiresAt?: number | undefined;
  /** Names the session that its token attests, for its survey; keyed. */
  readonly sessionMark?: string | undefined;
}

export interface Dismissal extends AnswerBase {
  readonly kind: 'dismissal';
  /** The session that the token attests; of a dismissal its mark alone is stored. */
  readonly sessionId?: string | undefined;
}

export interface Score {
  /** Of the current revision. */
  readonly state: ScoreState;
  /** Failed acknowledgements so far. */
  readonly attempts: number;
  readonly lastError?: string | undefined;
  /** ISO 8601 UTC: when a push of it was last known to begin; absent where none ever was. */
  readonly triedAt?: string | undefined;
}

/** A reason that a response names. */
export interface GivenReason {
  readonly code: string;
  /** Among all codes that the survey ever had. */
  readonly place: number;
}

/** Codes; undefined without any. */
export const codesOf = (reasons: readonly GivenReason[] | undefined): string[] | undefined =>
  reasons?.map(({ code }) => code);

interface FieldValues {
  readonly rating: number;
  readonly text: string;
  readonly flag: boolean;
  /** Of a low rating, in the survey's order; never an empty list. */
  readonly reasons: readonly GivenReason[];
  readonly traits: Traits;
  readonly identityKind: IdentityKind;
  readonly labels: Labels;
}

/** Fields of an answer by name; every answer has a rating. */
export type AnswerFields<Name extends FieldName> = {
  readonly [Each in Name as KindOf<Each> extends 'rating' ? Each : never]: number;
} & {
  readonly [Each in Name as KindOf<Each> extends 'rating' ? never : Each]?:
    | FieldValues[KindOf<Each>]
    | undefined;
};

/** What a response keeps when it is withdrawn. */
interface ResponseBase extends AnswerBase, AnswerFields<FieldsIn<'kept'>> {
  readonly source: 'sdk' | 'import';
  /** Session values the token attests; these alone reach an observability platform. */
  readonly attested: SessionIds;
  /** Session values that are only the client's word. */
  readonly claimed: SessionIds;
  /** Present exactly on linked responses. */
  readonly score?: Score | undefined;
  /** How often it was changed or withdrawn; absent where it never was. */
  readonly revision?: number | undefined;
  /** ISO 8601 UTC: when the current revision was stored. */
  readonly revisedAt?: string | undefined;
}

/** That somebody has seen to a wish to be contacted. */
export interface Handled {
  /** ISO 8601 UTC with milliseconds. */
  readonly at: string;
  /** The id of the key that said so. */
  readonly by: string;
  readonly note?: string | undefined;
}

export interface Response extends ResponseBase, AnswerFields<FieldsIn<'removed'>> {
  readonly kind: 'response';
  /** Present once somebody has seen to the wish to be contacted; a revision clears it. */
  readonly handled?: Handled | undefined;
}

/** A response that was taken back: the token stays used and the survey suppressed; a further revision rates again. */
export interface Withdrawn extends ResponseBase {
  readonly kind: 'withdrawn';
}

export type Answer = Response | Withdrawn | Dismissal;

/** An answer before it is stored: the store gives it its id, and the write id that tells its own retries from a reuse. */
export type NewAnswer =
  | Omit<Response, 'id' | 'writeId' | 'sessionMark' | 'handled'>
  | Omit<Dismissal, 'id' | 'writeId' | 'sessionMark'>;

/** What a respondent submits, besides the token. */
export interface Submission extends SessionIds, AnswerFields<FieldsIn<'server'>> {}

interface Coded extends Omit<Response, 'reasons'> {
  readonly reasons: string[] | undefined;
}

export type ToldAnswer<Use extends FieldUse> = Told<Coded, Use>;

/** The fields of an answer that a reply of this use shows: reasons as codes, null for what is absent. */
export function tellAnswer<Use extends FieldUse>(use: Use, answer: Response): ToldAnswer<Use>;
export function tellAnswer<Use extends FieldUse>(
  use: Use,
  answer: Response | Withdrawn,
): Told<Coded | Withdrawn, Use>;
export function tellAnswer(use: FieldUse, answer: Response | Withdrawn): object {
  const reasons = answer.kind === 'response' ? codesOf(answer.reasons) : undefined;
  return tellFields(use, { ...answer, reasons });
}

/** Session values as they are shown where it does not matter whether the token attests them. */
export function sessionOf({ attested, claimed }: Pick<ResponseBase, 'attested' | 'claimed'>) {
  return {
    sessionId: attested.sessionId ?? claimed.sessionId ?? null,
    traceId: attested.traceId ?? claimed.traceId ?? null,
    observationId: attested.observationId ?? claimed.observationId ?? null,
  };
}

interface Redemption {
  readonly project: Probed & { readonly id: string };
  readonly claims: ShowTokenClaims;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** As far as a project says that a probe asks and answers in it: what is left there goes by itself. */
interface Probed {
  readonly probe?: true | undefined;
}

const PROBE_ROWS_LIFETIME_MS = 2 * DAY;

/**
 * When what is written of a respondent now goes by itself, milliseconds; undefined where it stays.
 * @param now milliseconds since the epoch
 */
export const expiryOf = ({ probe }: Probed, now: number): number | undefined =>
  probe === true ? now + PROBE_ROWS_LIFETIME_MS : undefined;

function redeemed({ project, claims, now }: Redemption) {
  return {
    tokenId: claims.tokenId,
    projectId: project.id,
    surveyId: claims.surveyId,
    respondentId: claims.respondentId,
    at: new Date(now).toISOString(),
    tokenExpiresAt: claims.expiresAt,
    verified: claims.verified,
    fold: claims.fold,
    rowExpiresAt: expiryOf(project, now),
  };
}

/** The dismissal that redeeming this token records. */
export function dismissalOf(redemption: Redemption, submission: SessionIds): NewAnswer {
  const { binding, session } = redemption.claims;
  const { sessionId } = { ...submission, ...session };
  const isAttested = binding?.session !== undefined;
  return { ...redeemed(redemption), kind: 'dismissal', sessionId: isAttested ? sessionId : undefined };
}

/**
 * The response that redeeming this token records. The token's task type wins over the submission's; session values go
 * to `attested` only where the token attests them.
 */
export function responseOf(redemption: Redemption, submission: Submission): NewAnswer {
  const { claims, project } = redemption;
  const { sessionId, observationId, traceId, rating, taskType, ...rest } = {
    ...submission,
    ...claims.session,
  };
  const { session, observation, trace } = claims.binding ?? {};
  const pick = (value: string | undefined, isPicked: boolean) => (isPicked ? value : undefined);
  return {
    ...redeemed(redemption),
    kind: 'response',
    source: 'sdk',
    // A JSON number may be -0, which no scale means.
    rating: rating + 0,
    ...rest,
    taskType: claims.taskType ?? taskType,
    labels: claims.labels,
    attested: {
      sessionId: pick(sessionId, session !== undefined),
      observationId: pick(observationId, observation !== undefined),
      traceId: pick(traceId, trace !== undefined),
    },
    claimed: {
      sessionId: pick(sessionId, session === undefined),
      observationId: pick(observationId, observation === undefined),
      traceId: pick(traceId, trace === undefined),
    },
    score: isSessionBound(claims) && project.probe !== true ? { state: 'pending', attempts: 0 } : undefined,
  };
}

/** Keyed hashes of the session values a token attests, or that a submission presents. */
export interface SessionBinding {
  readonly session?: string | undefined;
  readonly observation?: string | undefined;
  readonly trace?: string | undefined;
}

export interface ShowTokenClaims {
  /** 128 bits, lower-case hex: 48 bits of time, 80 random. Single use hangs on it. */
  readonly tokenId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  /** Milliseconds since the epoch; refused from this moment on. */
  readonly expiresAt: number;
  readonly taskType?: string | undefined;
  readonly labels?: Labels | undefined;
  /** The answer to it sets off folding the respondent's history. */
  readonly fold?: true | undefined;
  /** The respondent was named by a server or a signed token, not by the page. */
  readonly verified?: true | undefined;
  /** A model may have asked for the answer to it. */
  readonly modelRequested?: true | undefined;
  /** Present on session-bound tokens only. */
  readonly binding?: SessionBinding | undefined;
  /** The session values themselves: of a link, whose form cannot bring them. */
  readonly session?: SessionIds | undefined;
}

/** Whether the answer will be linked to a server session, and so be a score. */
export function isSessionBound(claims: ShowTokenClaims): boolean {
  return claims.binding !== undefined;
}

/** The session ids that a submission has to bring, unless the token itself carries them. */
export function attestedIds({ binding = {} }: ShowTokenClaims): (keyof SessionIds)[] {
  const ids: (keyof SessionIds)[] = [];
  if (binding.session !== undefined) ids.push('sessionId');
  if (binding.observation !== undefined) ids.push('observationId');
  if (binding.trace !== undefined) ids.push('traceId');
  return ids;
}

/** Whether an answer of this kind may use the token: one that a model asked for needs leave of the server. */
export function isOfKind({ modelRequested }: ShowTokenClaims, identityKind: string | undefined): boolean {
  return identityKind !== MODEL_REQUESTED || modelRequested === true;
}

/** @param now milliseconds since the epoch */
export function isExpired(claims: ShowTokenClaims, now: number): boolean {
  return now >= claims.expiresAt;
}

/**
 * Whether a submission fits the token: its survey, and every session value the token attests. A value the token does
 * not attest is the client's word and never a mismatch.
 */
export function isAttested(
  claims: ShowTokenClaims,
  presented: { readonly surveyId: string; readonly binding: SessionBinding },
): boolean {
  if (claims.surveyId !== presented.surveyId) return false;
  const { session, observation, trace } = claims.binding ?? {};
  return (
    (session === undefined || session === presented.binding.session) &&
    (observation === undefined || observation === presented.binding.observation) &&
    (trace === undefined || trace === presented.binding.trace)
  );
}
