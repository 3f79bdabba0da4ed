import { useState } from 'preact/hooks';
import { hasScale, SURVEY_TYPES, TYPES } from '../../../../../shared/domain/surveys/survey.ts';
import { fieldsBetween, type WrittenSurvey } from '../../../../../shared/domain/surveys/written-survey.ts';
import { TYPE_TEXTS } from '../../../../type-texts.ts';
import { lostBetween, replacing, retyped } from '../../../rules/edited-survey.ts';
import { wordsOfField } from '../../../rules/field-words.ts';
import { FOLLOW_UPS } from '../../../rules/rating-entries.ts';
import { spreadLabels, typedEnd, typedLabel } from '../../../rules/typed-values.ts';
import { focusOn, idOf, Section, useEditing } from '../editing.tsx';
import { ChoiceField, TextField } from '../fields.tsx';
import { ByRating } from './by-rating.tsx';
import { Choices, CodedList } from './choices.tsx';
import { Questions } from './questions.tsx';

function RatingLabels() {
  const { survey, change } = useEditing();
  const { type, words } = survey;
  const { scale, look } = TYPES[type];
  return (
    <div class="pair">
      {spreadLabels(type, words?.values).map((text, at) => {
        const usual = look === 'words' ? TYPE_TEXTS[type].parts[at] : undefined;
        return (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: the index is the rating
            key={at}
            path={`words.values[${at}]`}
            label={`Label for rating ${scale.min + at}`}
            value={text}
            {...(usual !== undefined && { placeholder: usual })}
            onText={(typed) => change({ words: typedLabel(type, words, at, typed) })}
          />
        );
      })}
    </div>
  );
}

const TYPE_OPTIONS = SURVEY_TYPES.map((value) => ({
  value,
  name: TYPE_TEXTS[value].name,
  about: TYPE_TEXTS[value].about,
}));

function ScaleLabels() {
  const { survey, change } = useEditing();
  const { endLabels, type } = survey;
  const { ends } = TYPE_TEXTS[type];
  if (TYPES[type].look === 'words') return <RatingLabels />;
  return (
    <>
      <div class="pair">
        {(['low', 'high'] as const).map((side) => (
          <TextField
            key={side}
            path={`endLabels.${side}`}
            label={`Label at the ${side} end`}
            value={endLabels?.[side]}
            placeholder={ends[side === 'low' ? 0 : 1]}
            onText={(text) => change({ endLabels: typedEnd(endLabels, side, text) })}
          />
        ))}
      </div>
      {/* Thumbs have only two ends. */}
      {TYPES[type].look !== 'thumbs' && (
        <details class="more">
          <summary>Labels for each rating</summary>
          <p class="about">
            Screen readers read these labels with the number or face. Fill in all of them or none. The page
            shows only the two labels above.
          </p>
          <RatingLabels />
        </details>
      )}
    </>
  );
}

/** Until the next edit, a person can undo a change of the type that removed something. */
function TypeField() {
  const { survey, change, taken } = useEditing();
  const [retyping, setRetyping] = useState<{
    readonly before: WrittenSurvey;
    readonly after: WrittenSurvey;
  }>();
  const isLatest = retyping !== undefined && fieldsBetween(retyping.after, survey).length === 0;
  const before = isLatest ? retyping.before : survey;
  const lost = isLatest ? lostBetween(before, survey, taken) : [];
  const names = lost.map((field) => (field.startsWith('locales.') ? 'Translations' : wordsOfField(field)));
  return (
    <>
      <ChoiceField
        path="type"
        label="Type"
        help="You cannot change the type after you save the survey."
        value={survey.type}
        options={TYPE_OPTIONS}
        onChoose={(type) => {
          const after = retyped(survey, type, taken);
          setRetyping({ before, after });
          change(replacing(survey, after));
        }}
      />
      <p class="undo about" role="status">
        {lost.length > 0 && (
          <>
            This type does not have everything that you entered. Removed: {[...new Set(names)].join(', ')}.{' '}
            <button
              type="button"
              class="link"
              onClick={() => {
                change(replacing(survey, before));
                focusOn(idOf('type'));
              }}
            >
              Undo
            </button>
          </>
        )}
      </p>
    </>
  );
}

export function QuestionSection() {
  const { survey, change, base } = useEditing();
  const { type } = survey;
  return (
    <Section id="question" title="Question">
      {base === undefined ? (
        <>
          <TypeField />
          <TextField
            path="slug"
            label="Name"
            help="The name identifies the survey in links, files, and results. Use lowercase letters, digits, and hyphens. You cannot change it after you save the survey."
            value={survey.slug}
            isRequired
            onText={(slug = '') => change({ slug })}
          />
        </>
      ) : (
        <dl class="fixed">
          <div>
            <dt>Type</dt>
            <dd>{TYPE_TEXTS[type].name}</dd>
          </div>
          <div>
            <dt>Name</dt>
            <dd>{survey.slug}</dd>
          </div>
        </dl>
      )}
      <TextField
        path="question"
        label="Question"
        isLong
        isRequired
        value={survey.question}
        onText={(question = '') => change({ question })}
      />
      {hasScale(type) && <ScaleLabels />}
      {type === 'choice' && <Choices />}
      {type !== 'open' && (
        <TextField
          path="followUpQuestion"
          label="Follow-up question"
          help={`This open question comes after the ${type === 'choice' ? 'choice' : 'rating'}. Leave it empty to skip it.`}
          isLong
          value={survey.followUpQuestion}
          placeholder="What could we do better?"
          onText={(followUpQuestion) => change({ followUpQuestion })}
        />
      )}
      {hasScale(type) && (type !== 'thumbs' || survey.followUps !== undefined) && (
        <ByRating
          list={FOLLOW_UPS}
          field="followUps"
          label="Follow-up questions by rating"
          about="Each of these replaces the follow-up question for the ratings that you select."
          item="follow-up question"
          empty={{ ratings: [], question: '' }}
          draw={(entry, at, put) => (
            <TextField
              path={`followUps[${at}].question`}
              label={`Follow-up question ${at + 1}`}
              isLong
              value={entry.question}
              placeholder="What went wrong?"
              onText={(question = '') => put({ ...entry, question })}
            />
          )}
        />
      )}
      {type !== 'open' && (
        <CodedList
          field="reasons"
          about={`People who ${type === 'choice' ? 'choose an answer that counts as a low rating' : 'give a low rating'} can select any number of reasons. Results show how often each reason was selected.`}
        />
      )}
      {(type !== 'thumbs' || survey.questions !== undefined) && <Questions />}
    </Section>
  );
}
