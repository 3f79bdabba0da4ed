/** What somebody typed of a survey and has not stored, as the tab keeps it, beside what is stored now. */

import type { DefinitionsReply } from '../../../shared/contract/definition-schemas.ts';
import { canonicalText } from '../../../shared/domain/canonical-text.ts';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { changed, isWrittenSurvey } from './edited-survey.ts';
import { changedByOthers, type Difference } from './two-people.ts';

/** Drafts outlive a release: a later one reads this format. */
export interface Draft {
  /** The survey as it is typed. */
  readonly mine: WrittenSurvey;
  /** The stored survey that the edits began from; absent for a new survey. */
  readonly base?: WrittenSurvey | undefined;
  /** Revision of the project's surveys at which `base` was read. */
  readonly revision: number;
  /** Time of the last edit, in milliseconds since the epoch. */
  readonly at: number;
  /** The survey that was last sent. If its reply was lost, it may be stored. */
  readonly sent?: WrittenSurvey | undefined;
}

/** Another person stored changes to the same survey first. */
export interface Conflict {
  readonly draft: Draft;
  readonly theirs: WrittenSurvey;
  readonly differences: readonly Difference[];
  readonly revision: number;
  /** Null if it was not recorded. */
  readonly changedBy: string | null;
}

export type Found = Pick<DefinitionsReply, 'revision' | 'order' | 'surveys' | 'lastChanges'>;

/** How the stored surveys stand in the way of a draft. */
export type Obstacle =
  | { readonly is: 'conflict'; readonly conflict: Conflict }
  /** Another survey has the name of a new one. */
  | { readonly is: 'taken'; readonly slugs: readonly string[] }
  /** Somebody removed the survey. The draft is one of a new survey now. */
  | { readonly is: 'gone'; readonly draft: Draft; readonly slugs: readonly string[] };

/** Whether a kept value is a draft: an earlier release may have kept something else. */
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

/** Whether there is something to keep. A new survey always has changes. */
export const hasChanges = ({ mine, base }: Pick<Draft, 'mine' | 'base'>): boolean =>
  base === undefined || canonicalText(mine) !== canonicalText(base);

const isNoNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** Leaves out what was typed into a number field and is not a number: JSON cannot hold it. */
export const draftText = (draft: Draft): string =>
  JSON.stringify(draft, (_, value: unknown) => (isNoNumber(value) ? undefined : value));

/** The draft as it would be read again. */
export function keptAs(draft: Draft): Draft {
  const kept: unknown = JSON.parse(draftText(draft));
  return isDraft(kept) ? kept : draft;
}

/** A draft of what is stored, without changes. */
export const untouched = (base: WrittenSurvey, revision: number, at: number): Draft => ({
  mine: base,
  base,
  revision,
  at,
});

/** The draft when `sent` is sent, based on the draft that was shown with it. */
export const sending = (latest: Draft, shown: Draft, sent: WrittenSurvey): Draft => ({
  ...latest,
  base: shown.base,
  revision: shown.revision,
  sent,
});

/** Whether the stored survey is the one that this tab sent without getting a reply. */
const isOwn = ({ sent }: Pick<Draft, 'sent'>, stored: WrittenSurvey): boolean =>
  sent !== undefined && canonicalText(sent) === canonicalText(stored);

interface Stored {
  /** As it was when the person confirmed. */
  readonly draft: Draft;
  readonly target: WrittenSurvey;
  readonly isOfStatus: boolean;
  readonly revision: number;
}

/** Keeps edits made since then, and edits beside a change of status. */
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

/** A kept draft once the surveys are read again: what was sent and is stored is no longer a change. */
export function afterReading(kept: Draft, stored: WrittenSurvey | undefined, revision: number): Draft {
  if (stored === undefined || !isOwn(kept, stored)) return kept;
  return afterStoring(kept, { draft: kept, target: stored, isOfStatus: true, revision }, kept.at);
}

/** The draft on top of what is stored now, or what stands in its way. */
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
