/** What somebody has typed of a survey and not published: kept until they do, or discard it. */

import { canonicalText } from '../../shared/domain/canonical-text.ts';
import type { WrittenSurvey } from '../../shared/domain/surveys/written-survey.ts';
import { changed, isWrittenSurvey } from './edited-survey.ts';

export interface KeptDraft {
  /** As they have it. */
  readonly mine: WrittenSurvey;
  /** As it was when they began; absent of a new one. */
  readonly base?: WrittenSurvey | undefined;
  /** Of the project's surveys, when they began. */
  readonly revision: number;
  /** When they typed last, milliseconds since the epoch. */
  readonly at: number;
  /** What was last sent to be stored. Where its reply was lost, it may be stored. */
  readonly sent?: WrittenSurvey | undefined;
}

/** Whether what a tab kept is a draft: an earlier release may have kept something else. */
export const isKeptDraft = (value: unknown): value is KeptDraft =>
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

/** Whether there is anything to keep. A new survey is, from its first letter on. */
export const hasChanges = ({ mine, base }: Pick<KeptDraft, 'mine' | 'base'>): boolean =>
  base === undefined || canonicalText(mine) !== canonicalText(base);

const isNoNumber = (value: unknown): boolean => typeof value === 'number' && !Number.isFinite(value);

/** As it is kept: what was typed for a number and is none is left out, as JSON has no word for it. */
export const draftText = (draft: KeptDraft): string =>
  JSON.stringify(draft, (_, value: unknown) => (isNoNumber(value) ? undefined : value));

/** As it is given back: fields that are drawn anew show what it holds. */
export function keptAs(draft: KeptDraft): KeptDraft {
  const kept: unknown = JSON.parse(draftText(draft));
  return isKeptDraft(kept) ? kept : draft;
}

/** The draft when a survey is sent to be stored, upon what was shown beside it. */
export const sending = (latest: KeptDraft, shown: KeptDraft, sent: WrittenSurvey): KeptDraft => ({
  ...latest,
  base: shown.base,
  revision: shown.revision,
  sent,
});

/** Whether what is stored is what this tab has sent, and was not answered. */
export const isOwn = ({ sent }: Pick<KeptDraft, 'sent'>, stored: WrittenSurvey): boolean =>
  sent !== undefined && canonicalText(sent) === canonicalText(stored);

interface Stored {
  /** As it was when somebody confirmed. */
  readonly draft: KeptDraft;
  readonly target: WrittenSurvey;
  readonly isOfStatus: boolean;
  readonly revision: number;
}

/** The draft once something is stored: what was typed since, or beside a status, stays typed. */
export function afterStoring(
  latest: KeptDraft,
  { draft, target, isOfStatus, revision }: Stored,
  now: number,
): KeptDraft {
  const isTyped = isOfStatus || latest.mine !== draft.mine;
  const { slug, status } = target;
  const mine = isTyped ? changed(latest.mine, { slug, status }) : target;
  return { mine, base: target, revision, at: now };
}

/** What was kept, once the surveys are read again: what was sent and is stored is no longer unsaved. */
export function afterReading(
  kept: KeptDraft,
  stored: WrittenSurvey | undefined,
  revision: number,
): KeptDraft {
  if (stored === undefined || !isOwn(kept, stored)) return kept;
  return afterStoring(kept, { draft: kept, target: stored, isOfStatus: true, revision }, kept.at);
}
