import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { describeAudience } from '../../rules/audience.ts';
import { type ChangeWords, valueWords } from '../../rules/change-words.ts';
import type { Conflict } from '../../rules/draft.ts';
import type { Review } from '../../rules/draft-machine.ts';
import { personWords, wordsOfField } from '../../rules/field-words.ts';
import { changedByOthers, firstChoices, merged } from '../../rules/two-people.ts';
import { ChoiceField } from './fields.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Escape closes it, and the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const { current } = dialog;
    const { activeElement } = document;
    current?.showModal();
    return () => {
      current?.close();
      if (activeElement instanceof HTMLElement) activeElement.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby="dialog-title"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 class="dialog-title" id="dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  );
}

function Change({ name, before, after }: ChangeWords) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {before !== undefined && (
          <del>
            <bdi>{before}</bdi>
          </del>
        )}
        {before !== undefined && after !== undefined && <span aria-hidden="true">→</span>}
        {after === undefined ? (
          <span class="about">removed</span>
        ) : (
          <ins>
            <bdi>{after}</bdi>
          </ins>
        )}
      </dd>
    </div>
  );
}

/** The label of the button, and the title of the dialog. */
function wordsFor(
  base: SurveyStatus | undefined,
  { status, slug }: WrittenSurvey,
): readonly [string, string] {
  if (status === 'active' && base === 'active') return ['Publish changes', `Publish changes to ${slug}`];
  if (status === 'active' && base === 'paused') return ['Resume', `Resume ${slug}`];
  if (status === 'active') return ['Publish', `Publish ${slug}`];
  if (status === base) return ['Save changes', `Save changes to ${slug}`];
  if (status === 'paused') return ['Pause', `Pause ${slug}`];
  return status === 'archived' ? ['Archive', `Archive ${slug}`] : ['Save draft', `Save ${slug} as a draft`];
}

interface ReviewProps {
  readonly review: Review;
  readonly isStoring: boolean;
  readonly problem: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ReviewDialog({ review, isStoring, problem, onConfirm, onClose }: ReviewProps) {
  const { target, draft, changes, warnings } = review;
  const [verb, title] = wordsFor(draft.base?.status, target);
  return (
    <Dialog title={title} onClose={() => isStoring || onClose()}>
      {target.status === 'active' && changes.length > 0 && (
        <div class="asked">
          <p class="about">This takes effect within 30 seconds:</p>
          <p>{describeAudience(target).text}</p>
        </div>
      )}
      {warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {changes.length === 0 ? (
        <p>You have made no changes.</p>
      ) : (
        <dl class="changes">
          {changes.map((each) => (
            <Change key={each.field} {...each} />
          ))}
        </dl>
      )}
      <footer>
        {problem !== undefined && (
          <p class="wrong" role="alert">
            {problem} Your changes stay in this tab until you close it.
          </p>
        )}
        <button type="button" disabled={isStoring} onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="main" disabled={isStoring} onClick={onConfirm}>
          {isStoring ? 'Saving…' : verb}
        </button>
      </footer>
    </Dialog>
  );
}

interface ConflictProps {
  readonly conflict: Conflict;
  readonly mine: WrittenSurvey;
  readonly onDecide: (mine: WrittenSurvey) => void;
  readonly onClose: () => void;
}

export function ConflictDialog({ conflict, mine, onDecide, onClose }: ConflictProps) {
  const { draft, theirs, changedBy } = conflict;
  const { base = theirs } = draft;
  const differences = changedByOthers({ base, theirs, mine });
  const [choices, setChoices] = useState(() => firstChoices(differences));
  const decided = merged({ base, theirs, mine }, choices);
  return (
    <Dialog title="Someone else changed this survey" onClose={onClose}>
      <p>
        This survey was changed by {personWords(changedBy)} after you started editing it. Choose which version
        of each field below to keep. Your changes to other fields are kept.
      </p>
      {differences.map(({ field, isClash, ...values }) => (
        <ChoiceField
          key={field}
          path={`decide-${field}`}
          label={wordsOfField(field)}
          {...(isClash && { help: `Before both changes: ${valueWords(field, values.base)}` })}
          value={choices.get(field)}
          options={[
            { value: 'theirs', name: 'Their version', about: valueWords(field, values.theirs) },
            {
              value: 'mine',
              name: isClash ? 'Your version' : 'The earlier version',
              about: valueWords(field, values.mine),
            },
          ]}
          onChoose={(side) => setChoices(new Map([...choices, [field, side]]))}
        />
      ))}
      <footer>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="main"
          disabled={decided === undefined}
          onClick={() => decided !== undefined && onDecide(decided)}
        >
          Continue
        </button>
      </footer>
    </Dialog>
  );
}
