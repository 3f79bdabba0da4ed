import type { Comment } from '../../shared/contract/results-schemas.ts';
import type { SegmentSource } from '../../shared/domain/surveys/segments.ts';
import type { Cell } from './write-csv.ts';

/** What the declared segments of a survey are of, by name. */
export type Sources = Readonly<Record<string, SegmentSource>>;

/** What an answer says in a segment; null for nothing. */
export function saidUnder(name: string, answer: Comment, sources: Sources): Cell {
  if (name === 'identityKind') return answer.identityKind;
  switch (sources[name]) {
    case 'label':
      return answer.labels?.[name] ?? null;
    case 'taskType':
      return answer.taskType;
    case 'channel':
      return answer.channel;
    default:
      return answer.traits?.[name] ?? null;
  }
}
