import { MOST_REASONS } from '../../../../../shared/domain/surveys/reasons.ts';
import { SURVEY_TYPES, type SurveyReason, TYPES } from '../../../../../shared/domain/surveys/survey.ts';
import { TYPE_TEXTS } from '../../../../type-texts.ts';
import { retyped } from '../../../rules/edited-survey.ts';
import { FOLLOW_UPS } from '../../../rules/rating-entries.ts';
import { spreadLabels, typedEnd, typedLabel } from '../../../rules/typed-values.ts';
import { Section, useEditing } from '../editing.tsx';
import { ChoiceField, ListField, TextField } from '../fields.tsx';
import { ByRating } from './by-rating.tsx';

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

const CHOICES = SURVEY_TYPES.map((value) => ({
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

/** A stored reason keeps its code when its label changes. */
function codeFor(label: string, others: readonly SurveyReason[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 28);
  const wanted = plain === '' ? 'reason' : plain;
  const isTaken = (code: string) => others.some((other) => other.code === code);
  let code = wanted;
  for (let count = 2; isTaken(code) || code in {}; count++) code = `${wanted}-${count}`;
  return code;
}

function Reasons() {
  const { survey, base, change } = useEditing();
  const { reasons = [], locales = {} } = survey;
  /** @param codeOf the new code of a reason, whose translations move along */
  const set = (next: readonly SurveyReason[], codeOf = (code: string) => code): void => {
    const codes = new Set(next.map(({ code }) => code));
    const translated = Object.entries(locales).map(([tag, { reasons: labels = {}, ...others }]) => {
      const kept = Object.entries(labels)
        .map(([code, label]) => [codeOf(code), label] as const)
        .filter(([code]) => codes.has(code));
      return [tag, { ...others, reasons: Object.fromEntries(kept) }] as const;
    });
    change({
      reasons: [...next],
      ...(translated.length > 0 && { locales: Object.fromEntries(translated) }),
    });
  };
  const rename = (at: number, label = ''): void => {
    const before = reasons[at]?.code ?? '';
    const others = reasons.filter((_, place) => place !== at);
    const isStored = base?.reasons?.some(({ code }) => code === before) ?? false;
    const code = isStored ? before : codeFor(label, others);
    set(
      reasons.map((reason, place) => (place === at ? { code, label } : reason)),
      (known) => (known === before ? code : known),
    );
  };
  return (
    <ListField
      label="Reasons"
      about="People who give a low rating can select any number of reasons. Results show how often each reason was selected."
      item="reason"
      most={MOST_REASONS}
      rows={reasons}
      draw={(reason, at) => (
        <TextField
          path={`reasons[${at}].label`}
          label={`Reason ${at + 1}`}
          isQuiet
          value={reason.label}
          onText={(label) => rename(at, label)}
        />
      )}
      onAdd={() => {
        set([...reasons, { code: codeFor('', reasons), label: '' }]);
        return `reasons[${reasons.length}].label`;
      }}
      onRemove={(at) => set(reasons.filter((_, place) => place !== at))}
    />
  );
}

export function QuestionSection() {
  const { survey, change, base, taken } = useEditing();
  return (
    <Section id="question" title="Question">
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
      <ScaleLabels />
      <TextField
        path="followUpQuestion"
        label="Follow-up question"
        help="This open question comes after the rating. Leave it empty to skip it."
        isLong
        value={survey.followUpQuestion}
        placeholder="What could we do better?"
        onText={(followUpQuestion) => change({ followUpQuestion })}
      />
      {(survey.type !== 'thumbs' || survey.followUps !== undefined) && (
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
      <Reasons />
    </Section>
  );
}
