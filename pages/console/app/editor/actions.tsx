/** What can be done with a survey: which button is the main one depends on its status. */

import { useState } from 'preact/hooks';
import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import { duplicateOf } from '../../../surveys/edited-survey.ts';
import type { KeptDraft } from '../../../surveys/kept-draft.ts';
import { go } from '../shell/route.ts';
import { Dialog } from './dialog.tsx';
import { useEditing } from './editing.tsx';
import { Menu } from './menu.tsx';
import type { Wish } from './publish.ts';
import { keepDraft, recallDraft } from './use-draft.ts';

interface ActionsProps {
  readonly draft: KeptDraft;
  readonly isDirty: boolean;
  readonly onWish: (wish: Wish) => void;
  readonly onDiscard: () => void;
}

export function Actions({ draft, isDirty, onWish, onDiscard }: ActionsProps) {
  const { taken } = useEditing();
  const { base, mine, revision } = draft;
  const status: SurveyStatus = base?.status ?? 'draft';
  const wish =
    (next: SurveyStatus, isOfStatus = false) =>
    () =>
      onWish({ status: next, isOfStatus });
  const [isAsked, ask] = useState(false);
  const duplicate = (): void => {
    keepDraft('', { mine: duplicateOf(mine, taken), revision, at: Date.now() });
    go({ screen: 'new' });
  };
  // A new survey that is being typed is not lost for it.
  const begin = (): void => (recallDraft('') === undefined ? duplicate() : ask(true));
  const isOn = status === 'active';
  return (
    <div class="actions">
      <button type="button" class="main" disabled={isOn && !isDirty} onClick={wish('active')}>
        {isOn ? 'Publish changes' : 'Publish'}
      </button>
      {isOn ? (
        <button type="button" onClick={wish('paused', true)}>
          Pause
        </button>
      ) : (
        <button type="button" disabled={!isDirty} onClick={wish(status)}>
          {status === 'draft' ? 'Save draft' : 'Save changes'}
        </button>
      )}
      <Menu label="More">
        {isDirty && (
          <button type="button" onClick={onDiscard}>
            Discard changes
          </button>
        )}
        {base !== undefined && (
          <button type="button" onClick={begin}>
            Duplicate
          </button>
        )}
        {base !== undefined && status !== 'archived' && (
          <button type="button" onClick={wish('archived', true)}>
            Archive
          </button>
        )}
      </Menu>
      {isAsked && (
        <Dialog title="Another new survey is not saved yet" onClose={() => ask(false)}>
          <p>You typed a new survey in this tab. A copy takes its place.</p>
          <footer>
            <button type="button" onClick={() => ask(false)}>
              Cancel
            </button>
            <button type="button" onClick={() => go({ screen: 'new' })}>
              Open what is typed
            </button>
            <button type="button" class="main" onClick={duplicate}>
              Discard it and duplicate
            </button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}
