import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import type { Draft } from '../../rules/draft.ts';
import type { Wish } from '../../rules/draft-machine.ts';
import { duplicateOf } from '../../rules/edited-survey.ts';
import { go } from '../shell/route.ts';
import { Dialog } from './dialogs.tsx';
import { useEditing } from './editing.tsx';
import { keepDraft, leaveNote, recallDraft } from './use-draft.ts';

/** Closes on a choice, on Escape, and when the focus or a click leaves it. */
function Menu({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      const { current } = menu;
      if (current !== null && target instanceof Node && !current.contains(target)) current.open = false;
    };
    document.addEventListener('click', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('click', leave);
      document.removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: clicks bubble from its buttons, which also work by keyboard */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens to its buttons */}
      <div
        onClick={({ target }) => {
          const { current } = menu;
          if (current === null || !(target instanceof HTMLButtonElement)) return;
          current.open = false;
          current.querySelector('summary')?.focus();
        }}
      >
        {children}
      </div>
    </details>
  );
}

interface ActionsProps {
  readonly draft: Draft;
  readonly isDirty: boolean;
  readonly asked: Wish | undefined;
  readonly onWish: (wish: Wish) => void;
  readonly onDiscard: () => void;
}

export function Actions({ draft, isDirty, asked, onWish, onDiscard }: ActionsProps) {
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
    leaveNote('', `This is a copy of ${mine.slug}. It is not saved yet.`);
    go({ screen: 'new' });
  };
  const begin = (): void => (recallDraft('') === undefined ? duplicate() : ask(true));
  const isOn = status === 'active';
  const isChecked = (next: SurveyStatus): boolean => asked?.status === next;
  const words = (next: SurveyStatus, name: string): string => (isChecked(next) ? 'Checking…' : name);
  return (
    <div class="actions">
      <button
        type="button"
        class="main"
        disabled={isOn && !isDirty}
        aria-busy={isChecked('active')}
        onClick={wish('active')}
      >
        {words('active', isOn ? 'Publish changes' : status === 'paused' ? 'Resume' : 'Publish')}
      </button>
      {isOn ? (
        <button type="button" aria-busy={isChecked('paused')} onClick={wish('paused', true)}>
          {words('paused', 'Pause')}
        </button>
      ) : (
        <button type="button" disabled={!isDirty} aria-busy={isChecked(status)} onClick={wish(status)}>
          {words(status, status === 'draft' ? 'Save draft' : 'Save changes')}
        </button>
      )}
      <Menu label={asked?.isOfStatus === true ? words('archived', 'More') : 'More'}>
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
        <Dialog title="You already have an unsaved survey" onClose={() => ask(false)}>
          <p>This tab has a new survey that is not saved. The copy would replace it.</p>
          <footer>
            <button type="button" onClick={() => ask(false)}>
              Cancel
            </button>
            <button type="button" onClick={() => go({ screen: 'new' })}>
              Open the unsaved survey
            </button>
            <button type="button" class="main" onClick={duplicate}>
              Replace it with the copy
            </button>
          </footer>
        </Dialog>
      )}
    </div>
  );
}
