/** What is typed and not stored, and what has just been done. */

import { hasChanges, type KeptDraft } from '../../../surveys/kept-draft.ts';

interface NoteProps {
  readonly draft: KeptDraft;
  /** Whether it was kept from before: it is offered again. */
  readonly isKept: boolean;
  readonly note: string;
  readonly onDiscard: () => void;
}

/** Where the focus goes once something is done. */
export const NOTE_ID = 'editor-note';

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

export function KeptNote({ draft, isKept, note, onDiscard }: NoteProps) {
  const isDirty = hasChanges(draft);
  return (
    <div class="kept">
      <p role="status" id={NOTE_ID} tabIndex={-1}>
        {note}
      </p>
      {isDirty && isKept && (
        <p>
          You typed this on {time.format(draft.at)} and have not published it. It was kept in this tab.{' '}
          <button type="button" class="link" onClick={onDiscard}>
            Discard it
          </button>
        </p>
      )}
      {isDirty && !isKept && draft.base !== undefined && note === '' && (
        <p class="about">Not published yet. It is kept in this tab.</p>
      )}
    </div>
  );
}
