/**
 * An answer's one row is also the used token, the suppression, the quiet-period clock and the cap counter, so no second
 * record can disagree. Claims of show-tokens: docs/contract.md §7.
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

/** Code points. */
export const TEXT_CHARACTERS = 5_000;

/** A model asked. Counted apart from other answers. */
export const MODEL_REQUESTED = 'model-requested';
export const ASKED_KINDS = ['identified', 'anon-device', 'anon-conversation'] as const;
export const IDENTITY_KINDS = [...ASKED_KINDS, MODEL_REQUESTED] as const;
export type IdentityKind = (typeof IDENTITY_KINDS)[number];

/** docs/contract.md §10.1. `delivered` is final. */
export const SCORE_STATES = ['pending', 'failed', 'delivered'] as const;
export type ScoreState = (typeof SCORE_STATES)[number];

/** Model, prompt or arm of a turn, from servers (docs/contract.md §9.7). */
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
  /** New per invocation: tells a retried write from a reused token. */
  readonly writeId: string;
  /** Milliseconds since the epoch. */
  readonly tokenExpiresAt: number;
  /** Named by a server or signed token, not the page. */
  readonly verified?: true | undefined;
  /** Folds the respondent's history. */
  readonly fold?: true | undefined;
  /** Only of probes, milliseconds since the epoch. */
  readonly rowExpiresAt?: number | undefined;
  /** Keyed hash of the attested session, per survey. */
  readonly sessionMark?: string | undefined;
}

export interface Dismissal extends AnswerBase {
  readonly kind: 'dismissal';
  /** Attested. Dismissals store only its mark. */
  readonly sessionId?: string | undefined;
}

export interface Score {
  readonly state: ScoreState;
  readonly attempts: number;
  readonly lastError?: string | undefined;
  /** ISO 8601 UTC: start of the latest push. */
  readonly triedAt?: string | undefined;
}

export interface GivenReason {
  readonly code: string;
  /** The index among all codes that the survey ever had. */
  readonly place: number;
}

export const codesOf = (reasons: readonly GivenReason[] | undefined): string[] | undefined =>
  reasons?.map(({ code }) => code);

interface FieldValues {
  readonly rating: number;
  readonly text: string;
  readonly flag: boolean;
  /** For a low rating, in survey order; never empty. */
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
  /** Attested by the token. Only these reach observability platforms. */
  readonly attested: SessionIds;
  readonly claimed: SessionIds;
  /** Only linked responses have a score. */
  readonly score?: Score | undefined;
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
  readonly handled?: Handled | undefined;
}

/** The token stays used and the survey suppressed. A further revision can rate again. */
export interface Withdrawn extends ResponseBase {
  readonly kind: 'withdrawn';
}

export type Answer = Response | Withdrawn | Dismissal;

/** The store adds id and write id. */
export type NewAnswer =
  | Omit<Response, 'id' | 'writeId' | 'sessionMark' | 'handled'>
  | Omit<Dismissal, 'id' | 'writeId' | 'sessionMark'>;

export interface Submission extends SessionIds, AnswerFields<FieldsIn<'server'>> {}

interface Coded extends Omit<Response, 'reasons'> {
  readonly reasons: string[] | undefined;
}

export type ToldAnswer<Use extends FieldUse> = Told<Coded, Use>;

export function tellAnswer<Use extends FieldUse>(use: Use, answer: Response): ToldAnswer<Use>;
export function tellAnswer<Use extends FieldUse>(
  use: Use,
  answer: Response | Withdrawn,
): Told<Coded | Withdrawn, Use>;
export function tellAnswer(use: FieldUse, answer: Response | Withdrawn): object {
  const reasons = answer.kind === 'response' ? codesOf(answer.reasons) : undefined;
  return tellFields(use, { ...answer, reasons });
}

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

interface Probed {
  readonly probe?: true | undefined;
}

const PROBE_ROWS_LIFETIME_MS = 2 * DAY;

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

/** The token's task type wins. Only attested session values go to `attested`. */
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
    // JSON allows -0; scales do not.
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

export interface SessionBinding {
  readonly session?: string | undefined;
  readonly observation?: string | undefined;
  readonly trace?: string | undefined;
}

export interface ShowTokenClaims {
  /** Lower-case hex: 48 bits of time, 80 random. Single use depends on it. */
  readonly tokenId: string;
  readonly surveyId: string;
  readonly respondentId: string;
  /** Exclusive, milliseconds since the epoch. */
  readonly expiresAt: number;
  readonly taskType?: string | undefined;
  readonly labels?: Labels | undefined;
  /** Folds the respondent's history. */
  readonly fold?: true | undefined;
  /** Named by a server or signed token, not the page. */
  readonly verified?: true | undefined;
  readonly modelRequested?: true | undefined;
  readonly binding?: SessionBinding | undefined;
  /** The form of a link cannot send the session. */
  readonly session?: SessionIds | undefined;
}

export function isSessionBound(claims: ShowTokenClaims): boolean {
  return claims.binding !== undefined;
}

export function attestedIds({ binding = {} }: ShowTokenClaims): (keyof SessionIds)[] {
  const ids: (keyof SessionIds)[] = [];
  if (binding.session !== undefined) ids.push('sessionId');
  if (binding.observation !== undefined) ids.push('observationId');
  if (binding.trace !== undefined) ids.push('traceId');
  return ids;
}

/** A model may ask only if the server allowed it. */
export function isOfKind({ modelRequested }: ShowTokenClaims, identityKind: string | undefined): boolean {
  return identityKind !== MODEL_REQUESTED || modelRequested === true;
}

export function isExpired(claims: ShowTokenClaims, now: number): boolean {
  return now >= claims.expiresAt;
}

/** Only the survey and attested session values can mismatch. */
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
