import type { QuestionKind } from '../../../../../shared/domain/answers/answer.ts';
import { MOST_CHOICES } from '../../../../../shared/domain/surveys/choices.ts';
import { MOST_QUESTIONS, MOST_QUESTIONS_EVER } from '../../../../../shared/domain/surveys/questions.ts';
import { hasScale, type SurveyQuestion } from '../../../../../shared/domain/surveys/survey.ts';
import { addedTo, changedAt, upFrom } from '../../../rules/coded-labels.ts';
import {
  askedAfter,
  changedQuestion,
  ofKind,
  withQuestion,
  withQuestions,
} from '../../../rules/questions.ts';
import { ratingNames } from '../../../rules/rating-entries.ts';
import { typedEnd } from '../../../rules/typed-values.ts';
import { useEditing } from '../editing.tsx';
import { ListField, SelectField, TextField } from '../fields.tsx';
import { RatingsField } from './by-rating.tsx';

const KINDS: readonly (readonly [QuestionKind, string])[] = [
  ['one', 'One choice'],
  ['many', 'Several choices'],
  ['scale', 'Scale'],
  ['text', 'Text'],
];
const NUMBERS = Array.from({ length: 11 }, (_, number) => [`${number}`, `${number}`] as const);

interface PartProps {
  readonly question: SurveyQuestion;
  readonly stored: SurveyQuestion | undefined;
  readonly at: number;
  readonly put: (next: SurveyQuestion, codeOf?: (code: string) => string) => void;
}

/** Answers are stored under these. */
function Permanent({ question, at, put, stored }: PartProps) {
  const { id, kind, min, max } = question;
  const path = `questions[${at}]`;
  const kindName = KINDS.find(([each]) => each === kind)?.[1];
  return stored === undefined ? (
    <div class="pair">
      <SelectField
        path={`${path}.kind`}
        label={`Kind of question ${at + 1}`}
        value={kind}
        options={KINDS}
        onChoose={(next) => put(ofKind(question, next))}
      />
      <TextField
        path={`${path}.id`}
        label={`ID of question ${at + 1}`}
        help="It names the question in files and exports. You cannot change the ID or the kind after you save the survey."
        value={id}
        onText={(typed = '') => put({ ...question, id: typed })}
      />
      {kind === 'scale' &&
        (['min', 'max'] as const).map((end) => (
          <SelectField
            key={end}
            path={`${path}.${end}`}
            label={`${end === 'min' ? 'Lowest' : 'Highest'} number of question ${at + 1}`}
            value={`${question[end]}`}
            options={NUMBERS}
            onChoose={(number) => put({ ...question, [end]: Number(number) })}
          />
        ))}
    </div>
  ) : (
    <>
      <dl class="fixed">
        <div>
          <dt>Kind</dt>
          <dd>{kind === 'scale' ? `${kindName}, ${min} to ${max}` : kindName}</dd>
        </div>
        <div>
          <dt>ID</dt>
          <dd>{id}</dd>
        </div>
      </dl>
      <p class="about">
        To ask for another kind of answer, remove this question, add another one, and use a new ID.
      </p>
    </>
  );
}

function Labels({ question, stored, at, put }: PartProps) {
  const { kind, choices = [], endLabels } = question;
  const path = `questions[${at}]`;
  if (kind === 'text') return null;
  if (kind === 'scale')
    return (
      <div class="pair">
        {(['low', 'high'] as const).map((side) => (
          <TextField
            key={side}
            path={`${path}.endLabels.${side}`}
            label={`Label at the ${side} end of question ${at + 1}`}
            value={endLabels?.[side]}
            onText={(text) => {
              const { endLabels: _, ...others } = question;
              const next = typedEnd(endLabels, side, text);
              put({ ...others, ...(next && { endLabels: next }) });
            }}
          />
        ))}
      </div>
    );
  const labelPath = (place: number) => `${path}.choices[${place}].label`;
  return (
    <ListField
      label={`Choices of question ${at + 1}`}
      about="Each choice has a permanent code, so you can reword its label later."
      item="choice"
      of={`question ${at + 1}`}
      rows={choices}
      least={2}
      most={MOST_CHOICES}
      draw={({ label }, place) => (
        <TextField
          path={labelPath(place)}
          label={`Choice ${place + 1} of question ${at + 1}`}
          isQuiet
          value={label}
          onText={(typed = '') => {
            const { next, codeOf } = changedAt(choices, stored?.choices, place, { label: typed });
            put({ ...question, choices: next }, codeOf);
          }}
        />
      )}
      onAdd={() => {
        put({ ...question, choices: addedTo(choices, stored?.choices) });
        return labelPath(choices.length);
      }}
      onRemove={(place) => put({ ...question, choices: choices.toSpliced(place, 1) })}
      onMoveUp={(place) => {
        put({ ...question, choices: upFrom(choices, place) });
        return labelPath(place - 1);
      }}
    />
  );
}

export function Questions() {
  const { survey, base, change } = useEditing();
  const { questions = [], type } = survey;
  return (
    <ListField
      label="Questions after the rating"
      about={`Ask up to ${MOST_QUESTIONS} more questions. People can skip each of them. A survey can have ${MOST_QUESTIONS_EVER} different questions over time, including removed ones.`}
      item="question"
      rows={questions}
      most={MOST_QUESTIONS}
      draw={(question, at) => {
        const part: PartProps = {
          ...{ question, at, stored: base?.questions?.find(({ id }) => id === question.id) },
          put: (next, codeOf) => change(changedQuestion(survey, at, next, codeOf)),
        };
        return (
          <>
            <TextField
              path={`questions[${at}].text`}
              label={`Question ${at + 1}`}
              isLong
              value={question.text}
              placeholder="What do you use us for?"
              onText={(text = '') => part.put({ ...question, text })}
            />
            <Permanent {...part} />
            <Labels {...part} />
            {hasScale(type) && (
              <RatingsField
                path={`questions[${at}].ratings`}
                label={`Ratings that ask question ${at + 1}. Select none to ask it after every rating.`}
                names={ratingNames(survey)}
                value={question.ratings ?? []}
                taken={[]}
                onRatings={(ratings) => part.put(askedAfter(question, ratings))}
              />
            )}
          </>
        );
      }}
      onAdd={() => {
        change(withQuestion(survey, base));
        return `questions[${questions.length}].text`;
      }}
      onRemove={(at) => change(withQuestions(survey, questions.toSpliced(at, 1)))}
      onMoveUp={(at) => {
        change(withQuestions(survey, upFrom(questions, at)));
        return `questions[${at - 1}].text`;
      }}
    />
  );
}
