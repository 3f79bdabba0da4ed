/**
 * An answer is a response or a dismissal. Its one row is also the used token, the suppression, the quiet-period clock
 * and the cap counter, so no second record can disagree. Claims of show-tokens: docs/contract.md §7.
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

/** Code points of a text that are stored. */
export const TEXT_CHARACTERS = 5_000;

/** A model asked the person for the answer. Counted apart from other answers. */
export const MODEL_REQUESTED = 'model-requested';
/** Kinds of answers to surveys that were asked. */
export const ASKED_KINDS = ['identified', 'anon-device', 'anon-conversation'] as const;
export const IDENTITY_KINDS = [...ASKED_KINDS, MODEL_REQUESTED] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** docs/contract.md §10.1. `delivered` is final. */
export const SCORE_STATES = ['pending', 'failed', 'delivered'] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

/** Set by servers: model, prompt or arm of a turn (docs/contract.md §9.7). */
export type Labels = Readonly<Record<string, string>>;

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
  readonly at: string;
  /** New per invocation: distinguishes our own retried write from a reuse of the token. */
  readonly writeId: string;
  /** Milliseconds since the epoch. */
  readonly tokenExpiresAt: number;
  /** A server or a signed token named the respondent, not the page. */
  readonly verified?: true | undefined;
  /** This answer triggers folding of the respondent's history. */
  readonly fold?: true | undefined;
  /** Expiry of a probe's row, milliseconds since the epoch. */
  readonly rowExpiresAt?: number | undefined;
  /** Keyed hash of the attested session, for this survey. */
  readonly sessionMark?: string | undefined;
}

export interface Dismissal extends AnswerBase {
  readonly kind: 'dismissal';
  /** Attested by the token. Dismissals store only its mark. */
  readonly sessionId?: string | undefined;
}

export interface Score {
  readonly state: ScoreState;
  readonly attempts: number;
  readonly lastError?: string | undefined;
  /** ISO 8601 UTC: start of the latest known push. */
  readonly triedAt?: string | undefined;
}

export interface GivenReason {
  readonly code: string;
  /** Index among all codes that the survey ever had. */
  readonly place: number;
}

export const codesOf = (reasons: readonly GivenReason[] | undefined): string[] | undefined =>
  reasons?.map(({ code }) => code);

interface FieldValues {
  readonly rating: number;
  readonly text: string;
  readonly flag: boolean;
  /** Reasons for a low rating, in the survey's order; never empty. */
  readonly reasons: readonly GivenReason[];
  readonly traits: Traits;
  readonly identityKind: IdentityKind;
  readonly labels: Labels;
}

export type AnswerFields<Name extends FieldName> = {
  readonly [Each in Name as KindOf<Each> extends 'rating' ? Each : never]: number;
} & {
  readonly [Each in Name as KindOf<Each> extends 'rating' ? never : Each]?:
    | FieldValues[KindOf<Each>]
    | undefined;
};

/** A withdrawal keeps these fields. */
interface ResponseBase extends AnswerBase, AnswerFields<FieldsIn<'kept'>> {
  readonly source: 'sdk' | 'import';
  /** Session values that the token attests. Only these reach an observability platform. */
  readonly attested: SessionIds;
  /** Session values that only the client states. */
  readonly claimed: SessionIds;
  /** Present exactly on linked responses. */
  readonly score?: Score | undefined;
  /** Absent if the answer never changed. */
  readonly revision?: number | undefined;
  readonly revisedAt?: string | undefined;
}

export interface Handled {
  readonly at: string;
  /** Id of the key. */
  readonly by: string;
  readonly note?: string | undefined;
}

export interface Response extends ResponseBase, AnswerFields<FieldsIn<'removed'>> {
  readonly kind: 'response';
  /** Present once the contact request was handled; a revision clears it. */
  readonly handled?: Handled | undefined;
}

/** A withdrawn response: the token stays used and the survey suppressed. A further revision can rate again. */
export interface Withdrawn extends ResponseBase {
  readonly kind: 'withdrawn';
}

export type Answer = Response | Withdrawn | Dismissal;

/** The store adds the id and the write id. */
export type NewAnswer =
  | Omit<Response, 'id' | 'writeId' | 'sessionMark' | 'handled'>
  | Omit<Dismissal, 'id' | 'writeId' | 'sessionMark'>;

export interface Submission extends SessionIds, AnswerFields<FieldsIn<'server'>> {}

interface Coded extends Omit<Response, 'reasons'> {
  readonly reasons: string[] | undefined;
}

export type ToldAnswer<Use extends FieldUse> = Told<Coded, Use>;

/** Fields for this use: reasons as codes, absent fields as null. */
export function tellAnswer<Use extends FieldUse>(use: Use, answer: Response): ToldAnswer<Use>;
export function tellAnswer<Use extends FieldUse>(
  use: Use,
  answer: Response | Withdrawn,
): Told<Coded | Withdrawn, Use>;
export function tellAnswer(use: FieldUse, answer: Response | Withdrawn): object {
  const reasons = answer.kind === 'response' ? codesOf(answer.reasons) : undefined;
  return tellFields(use, { ...answer, reasons });
}

/** For readers to whom attestation does not matter. */
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
  readonly now: number;
}

/** Rows of a probe's project expire. */
interface Probed {
  readonly probe?: true | undefined;
}

const PROBE_ROWS_LIFETIME_MS = 2 * DAY;

/**
 * When a respondent's new rows expire, milliseconds; undefined means never.
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

export function dismissalOf(redemption: Redemption, submission: SessionIds): NewAnswer {
  const { binding, session } = redemption.claims;
  const { sessionId } = { ...submission, ...session };
  const isAttested = binding?.session !== undefined;
  return { ...redeemed(redemption), kind: 'dismissal', sessionId: isAttested ? sessionId : undefined };
}

/** The token's task type wins over the submission's. Session values go to `attested` only if the token attests them. */
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
    // JSON allows -0, which no scale has.
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

/** Keyed hashes of session values. */
export interface SessionBinding {
  readonly session?: string | undefined;
  readonly observation?: string | undefined;
  readonly trace?: string | undefined;
}

export interface ShowTokenClaims {
  /** 128 bits, lower-case hex: 48 bits of time, 80 random. Single use depends on it. */
  readonly tokenId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  /** Milliseconds since the epoch, exclusive. */
  readonly expiresAt: number;
  readonly taskType?: string | undefined;
  readonly labels?: Labels | undefined;
  /** The answer triggers folding of the respondent's history. */
  readonly fold?: true | undefined;
  /** A server or a signed token named the respondent, not the page. */
  readonly verified?: true | undefined;
  /** A model may have asked for the answer. */
  readonly modelRequested?: true | undefined;
  readonly binding?: SessionBinding | undefined;
  /** The session values themselves, for a link, whose form cannot send them. */
  readonly session?: SessionIds | undefined;
}

export function isSessionBound(claims: ShowTokenClaims): boolean {
  return claims.binding !== undefined;
}

/** Session ids that a submission must send. Tokens of links carry them. */
export function attestedIds({ binding = {} }: ShowTokenClaims): (keyof SessionIds)[] {
  const ids: (keyof SessionIds)[] = [];
  if (binding.session !== undefined) ids.push('sessionId');
  if (binding.observation !== undefined) ids.push('observationId');
  if (binding.trace !== undefined) ids.push('traceId');
  return ids;
}

/** A model may ask for an answer only if the server allowed it in the token. */
export function isOfKind({ modelRequested }: ShowTokenClaims, identityKind: string | undefined): boolean {
  return identityKind !== MODEL_REQUESTED || modelRequested === true;
}

export function isExpired(claims: ShowTokenClaims, now: number): boolean {
  return now >= claims.expiresAt;
}

/**
 * Whether a submission matches the token's survey and every attested session value. Other session values never
 * mismatch.
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
