import { MOST_CHOICES, MOST_CHOICES_EVER } from '../../../../../shared/domain/surveys/choices.ts';
import { MOST_REASONS } from '../../../../../shared/domain/surveys/reasons.ts';
import type { SurveyChoice } from '../../../../../shared/domain/surveys/survey.ts';
import { movedUp, withAdded, withoutEntry, withPart } from '../../../rules/coded-labels.ts';
import { useEditing } from '../editing.tsx';
import { CheckField, ListField, TextField } from '../fields.tsx';

const LISTS = {
  reasons: { label: 'Reasons', item: 'reason', name: 'Reason', most: MOST_REASONS },
  choices: { label: 'Choices', item: 'choice', name: 'Choice', least: 2, most: MOST_CHOICES },
} as const;

interface CodedListProps {
  readonly field: keyof typeof LISTS;
  readonly about: string;
}

/** A list of reasons or choices. */
export function CodedList({ field, about }: CodedListProps) {
  const { survey, base, change } = useEditing();
  const { name, ...list } = LISTS[field];
  const rows: readonly SurveyChoice[] = survey[field] ?? [];
  const put = (at: number, part: Partial<SurveyChoice>): void =>
    change(withPart(survey, base, field, at, part));
  return (
    <ListField
      {...list}
      about={about}
      rows={rows}
      draw={({ label, low = false, words = false }, at) => (
        <>
          <TextField
            path={`${field}[${at}].label`}
            label={`${name} ${at + 1}`}
            isQuiet
            value={label}
            onText={(typed = '') => put(at, { label: typed })}
          />
          {field === 'choices' && (
            <div class="marks">
              <CheckField
                path={`choices[${at}].low`}
                label="Counts as a low rating"
                of={`choice ${at + 1}`}
                isChecked={low}
                onCheck={(isChecked) => put(at, { low: isChecked ? true : undefined })}
              />
              <CheckField
                path={`choices[${at}].words`}
                label="Asks for a comment"
                of={`choice ${at + 1}`}
                isChecked={words}
                onCheck={(isChecked) => put(at, { words: isChecked ? true : undefined })}
              />
            </div>
          )}
        </>
      )}
      onAdd={() => {
        change(withAdded(survey, base, field));
        return `${field}[${rows.length}].label`;
      }}
      onRemove={(at) => change(withoutEntry(survey, field, at))}
      onMoveUp={(at) => {
        change(movedUp(survey, field, at));
        return `${field}[${at - 1}].label`;
      }}
    />
  );
}

export function Choices() {
  const { survey, change } = useEditing();
  return (
    <>
      <CodedList
        field="choices"
        about={`People choose one answer. Each choice has a permanent code, so you can reword its label later. If you remove a choice, its responses are kept. A survey can have ${MOST_CHOICES_EVER} different choices over time, including removed ones.`}
      />
      <CheckField
        path="shuffle"
        label="Shuffle the choices"
        about="Each person sees the choices in an order of their own, which never changes. Choices that ask for a comment come last."
        isChecked={survey.shuffle === true}
        onCheck={(isChecked) => change({ shuffle: isChecked ? true : undefined })}
      />
    </>
  );
}
