/** What is asked. */

import { SURVEY_TYPES, TYPES } from '../../../../../shared/domain/surveys/survey.ts';
import { TYPE_TEXTS } from '../../../../type-texts.ts';
import { retyped } from '../../../rules/edited-survey.ts';
import { answersOf, spreadWords, typedWords } from '../../../rules/typed-values.ts';
import { Section, useEditing } from '../editing.tsx';
import { ChoiceField, TextField } from '../fields.tsx';
import { Reasons } from './reasons.tsx';

function Answers() {
  const { survey, change } = useEditing();
  const { type, words = {} } = survey;
  const set = (at: number, text = ''): void => {
    const { values, ...others } = words;
    const next = typedWords(type, values, at, text);
    change({ words: { ...others, ...(next !== undefined && { values: next }) } });
  };
  const count = answersOf(type);
  const isShown = TYPES[type].look === 'words';
  return (
    <div class="pair">
      {spreadWords(type, words.values).map((text, at) => {
        const usual = isShown ? TYPE_TEXTS[type].parts[at] : undefined;
        return (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer is its place
            key={at}
            path={`words.values[${at}]`}
            label={`Answer ${at + 1}${isShown ? '' : ` of ${count}`}`}
            value={text}
            {...(usual !== undefined && { placeholder: usual })}
            onText={(typed) => set(at, typed)}
          />
        );
      })}
    </div>
  );
}

const CHOICES = SURVEY_TYPES.map((value) => ({
  value,
  name: TYPE_TEXTS[value].name,
  about: TYPE_TEXTS[value].about,
}));

function Ends() {
  const { survey, change } = useEditing();
  const { endLabels, type } = survey;
  const set = (side: 'low' | 'high', text = ''): void => {
    const next = { low: endLabels?.low ?? '', high: endLabels?.high ?? '', [side]: text };
    change({ endLabels: next.low === '' && next.high === '' ? undefined : next });
  };
  if (TYPES[type].look === 'words') return <Answers />;
  return (
    <>
      <div class="pair">
        <TextField
          path="endLabels.low"
          label="Label at the low end"
          value={endLabels?.low}
          placeholder={TYPE_TEXTS[type].ends[0]}
          onText={(text) => set('low', text)}
        />
        <TextField
          path="endLabels.high"
          label="Label at the high end"
          value={endLabels?.high}
          placeholder={TYPE_TEXTS[type].ends[1]}
          onText={(text) => set('high', text)}
        />
      </div>
      {/* Thumbs have their ends alone. */}
      {TYPES[type].look !== 'thumbs' && (
        <details class="more">
          <summary>Label for each answer</summary>
          <p class="about">
            Screen readers read these labels with the number or face, lowest first. Fill in all of them or
            none. The ends of the scale show the labels above.
          </p>
          <Answers />
        </details>
      )}
    </>
  );
}

export function QuestionSection() {
  const { survey, change, base, taken } = useEditing();
  return (
    <Section id="question" title="What is asked">
      {base === undefined ? (
        <>
          <ChoiceField
            path="type"
            label="Type"
            help="You cannot change the type after you save the survey."
            value={survey.type}
            options={CHOICES}
            onChoose={(type) => change(retyped(survey, type, taken))}
          />
          <TextField
            path="slug"
            label="Name"
            help="Identifies the survey in links, files, and results. Use lowercase letters, digits, and hyphens. You cannot change it later."
            value={survey.slug}
            isRequired
            onText={(slug = '') => change({ slug })}
          />
        </>
      ) : (
        <dl class="fixed">
          <div>
            <dt>Type</dt>
            <dd>{TYPE_TEXTS[survey.type].name}</dd>
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
      <Ends />
      <TextField
        path="followUpQuestion"
        label="Follow-up question"
        help="An open question after the rating. Leave empty to ask only for the rating."
        isLong
        value={survey.followUpQuestion}
        placeholder="What could we do better?"
        onText={(followUpQuestion) => change({ followUpQuestion })}
      />
      <Reasons />
    </Section>
  );
}
