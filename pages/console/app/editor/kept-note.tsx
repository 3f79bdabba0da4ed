/** What is typed and not stored, and what has just been done. */

import { hasChanges, type KeptDraft } from '../../../surveys/kept-draft.ts';
import { hrefOf } from '../shell/route.ts';

interface NoteProps {
  readonly draft: KeptDraft;
  readonly note: string;
}

/** Where the focus goes once something is done. */
export const NOTE_ID = 'editor-note';

const time = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** What has just been done, or that something is not published yet: in a place of its own, so that nothing moves for it. */
export function StateNote({ draft, note }: NoteProps) {
  const { base } = draft;
  const isTyped = hasChanges(draft) && base !== undefined && note === '';
  return (
    <div class="state">
      <p role="status" id={NOTE_ID} tabIndex={-1}>
        {note}
      </p>
      {note !== '' && base?.status === 'active' && (
        <a href={hrefOf({ screen: 'survey', slug: base.slug })}>See results</a>
      )}
      {isTyped && <p class="about">Not published yet</p>}
    </div>
  );
}

/** It was kept from before: it is offered again. */
export function KeptNote({ at, onDiscard }: { readonly at: number; readonly onDiscard: () => void }) {
  return (
    <p class="kept">
      Last changed on {time.format(at)} and not published. It was kept in this tab.{' '}
      <button type="button" class="link" onClick={onDiscard}>
        Discard it
      </button>
    </p>
  );
}
