/** Two people at once: what the first changed, and for the second to decide. */

import { useState } from 'preact/hooks';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { valueWords } from '../../rules/change-words.ts';
import type { Conflict } from '../../rules/draft.ts';
import { wordsOfField } from '../../rules/field-words.ts';
import { changedByOthers, type Difference, firstChoices, merged, type Side } from '../../rules/two-people.ts';
import { Dialog } from './dialog.tsx';

interface DecisionProps {
  readonly difference: Difference;
  readonly chosen: Side | undefined;
  readonly onChoose: (side: Side) => void;
}

function Decision({ difference, chosen, onChoose }: DecisionProps) {
  const { field, theirs, mine, base, isClash } = difference;
  const sides = [
    { side: 'theirs', name: 'Theirs', value: theirs },
    { side: 'mine', name: isClash ? 'Yours' : 'As it was', value: mine },
  ] as const;
  return (
    <fieldset class="field options decision">
      <legend>{wordsOfField(field)}</legend>
      {isClash && <p class="about">Before: {valueWords(field, base)}</p>}
      <div>
        {sides.map(({ side, name, value }) => (
          <label key={side} class="option">
            <input
              type="radio"
              name={`decide-${field}`}
              checked={chosen === side}
              onChange={() => onChoose(side)}
            />
            <span>
              <span>{name}</span>
              <span class="about">
                <bdi>{valueWords(field, value)}</bdi>
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface ConflictProps {
  readonly conflict: Conflict;
  /** The draft as it is by now. */
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
        {changedBy ?? 'Someone'} changed it since you started editing. Fields that only you changed are kept.
        Choose a version of each field below.
      </p>
      {differences.map((difference) => (
        <Decision
          key={difference.field}
          difference={difference}
          chosen={choices.get(difference.field)}
          onChoose={(side) => setChoices(new Map([...choices, [difference.field, side]]))}
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
