import type { DefinitionsReply } from '../../../shared/contract/definition-schemas.ts';
import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import { fieldsBetween, type WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { changed, isWrittenSurvey } from './edited-survey.ts';
import { changedByOthers, type Difference } from './two-people.ts';

/** Stored drafts outlive a release, so later releases must be able to read this format. */
export interface Draft {
  readonly mine: WrittenSurvey;
  /** Absent for a new survey. */
  readonly base?: WrittenSurvey | undefined;
  /** Revision at which `base` was read. */
  readonly revision: number;
  /** Time of the last edit, milliseconds since the epoch. */
  readonly at: number;
  /** The last survey that was sent. It may be stored although its reply was lost. */
  readonly sent?: WrittenSurvey | undefined;
}

export interface Conflict {
  readonly draft: Draft;
  readonly theirs: WrittenSurvey;
  readonly differences: readonly Difference[];
  readonly revision: number;
  readonly changedBy: string | null;
}

export type Found = Pick<DefinitionsReply, 'revision' | 'order' | 'surveys' | 'lastChanges'>;

export type Obstacle =
  | { readonly is: 'conflict'; readonly conflict: Conflict }
  /** Another survey already has the slug of a new one. */
  | { readonly is: 'taken'; readonly slugs: readonly string[] }
  /** Someone removed the survey, so the draft is for a new one. */
  | { readonly is: 'gone'; readonly draft: Draft; readonly slugs: readonly string[] };

export const isDraft = (value: unknown): value is Draft =>
  typeof value === 'object' &&
  value !== null &&
  'mine' in value &&
  isWrittenSurvey(value.mine) &&
  (!('sent' in value) || value.sent === undefined || isWrittenSurvey(value.sent)) &&
  (!('base' in value) || value.base === undefined || isWrittenSurvey(value.base)) &&
  'revision' in value &&
  typeof value.revision === 'number' &&
  'at' in value &&
  typeof value.at === 'number';

/** A new survey always has changes. */
export const hasChanges = ({ mine, base }: Pick<Draft, 'mine' | 'base'>): boolean =>
  base === undefined || canonicalText(mine) !== canonicalText(base);

const isNoNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** JSON cannot hold NaN. */
export const draftText = (draft: Draft): string =>
  JSON.stringify(draft, (_, value: unknown) => (isNoNumber(value) ? undefined : value));

export function keptAs(draft: Draft): Draft {
  const kept: unknown = JSON.parse(draftText(draft));
  return isDraft(kept) ? kept : draft;
}

export const untouched = (base: WrittenSurvey, revision: number, at: number): Draft => ({
  mine: base,
  base,
  revision,
  at,
});

/** Bases the latest draft on the reviewed one. */
export const sending = (latest: Draft, shown: Draft, sent: WrittenSurvey): Draft => ({
  ...latest,
  base: shown.base,
  revision: shown.revision,
  sent,
});

const isOwn = ({ sent }: Pick<Draft, 'sent'>, stored: WrittenSurvey): boolean =>
  sent !== undefined && fieldsBetween(sent, stored).length === 0;

interface Stored {
  readonly draft: Draft;
  readonly target: WrittenSurvey;
  readonly isOfStatus: boolean;
  readonly revision: number;
}

/** Keeps edits that were made later, and all edits if only the status was stored. */
export function afterStoring(
  latest: Draft,
  { draft, target, isOfStatus, revision }: Stored,
  now: number,
): Draft {
  const isTyped = isOfStatus || latest.mine !== draft.mine;
  const { slug, status } = target;
  const mine = isTyped ? changed(latest.mine, { slug, status }) : target;
  return { mine, base: target, revision, at: now };
}

/** A sent survey that turns out to be stored is no longer a change. */
export function afterReading(kept: Draft, stored: WrittenSurvey | undefined, revision: number): Draft {
  if (stored === undefined || !isOwn(kept, stored)) return kept;
  return afterStoring(kept, { draft: kept, target: stored, isOfStatus: true, revision }, kept.at);
}

export function rebase(draft: Draft, { revision, order, surveys, lastChanges }: Found): Draft | Obstacle {
  const { mine, at, sent } = draft;
  const theirs = surveys.find(({ slug }) => slug === mine.slug);
  if (theirs === undefined)
    return draft.base === undefined
      ? { ...draft, revision }
      : { is: 'gone', draft: { mine, revision, at }, slugs: order };
  const base = isOwn(draft, theirs)
    ? theirs
    : (draft.base ?? (sent?.slug === theirs.slug ? sent : undefined));
  if (base === undefined) return { is: 'taken', slugs: order };
  const differences = changedByOthers({ base, theirs, mine });
  if (differences.length === 0) return { mine, base: theirs, revision, at };
  const changedBy = lastChanges[theirs.slug]?.changedBy ?? null;
  return {
    is: 'conflict',
    conflict: { draft: { ...draft, base }, theirs, differences, revision, changedBy },
  };
}
