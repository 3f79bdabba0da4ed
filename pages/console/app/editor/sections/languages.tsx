import { useState } from 'preact/hooks';
import { plainThanks } from '../../../../../shared/domain/surveys/by-rating.ts';
import { type SurveyTexts, type SurveyThanks, TYPES } from '../../../../../shared/domain/surveys/survey.ts';
import { ratingWords } from '../../../rules/change-words.ts';
import type { Patch } from '../../../rules/edited-survey.ts';
import { languageName, WIDGET_LANGUAGES } from '../../../rules/field-words.ts';
import { FOLLOW_UPS, plainPath, THANKS, translationsIn } from '../../../rules/rating-entries.ts';
import {
  spreadLabels,
  type ThanksPart,
  typedEnd,
  typedLabel,
  typedPlainThanks,
  typedThanks,
} from '../../../rules/typed-values.ts';
import { focusOn, idOf, Section, useEditing } from '../editing.tsx';
import { Select, TextField } from '../fields.tsx';
import { PARTS, partsOf, WORDS } from './thanks.tsx';

type TextsPatch = NonNullable<NonNullable<Patch['locales']>[string]>;
type QuestionPatch = NonNullable<NonNullable<TextsPatch['questions']>[string]>;

interface Row {
  readonly path: string;
  readonly name: string;
  /** The survey's own text. Rows without one are hidden. */
  readonly own: string | undefined;
  readonly value: string | undefined;
  readonly onText: (text: string | undefined) => void;
  readonly isLong?: boolean;
}

interface TranslationProps {
  readonly tag: string;
  readonly texts: SurveyTexts;
  readonly onChange: (texts: TextsPatch) => void;
}

const thanksRows = (
  whom: string,
  path: string,
  own: SurveyThanks | undefined,
  translated: SurveyThanks | undefined,
  onPart: (part: ThanksPart) => void,
): Row[] =>
  PARTS.map(([part, place, name]) => ({
    ...{ path: `${path}.${place}`, name: `${name}${whom}`, isLong: part === 'text' },
    ...{ own: partsOf(own)[part], value: partsOf(translated)[part] },
    onText: (text = '') => onPart({ [part]: text }),
  }));

function Translation({ tag, texts, onChange }: TranslationProps) {
  const { survey } = useEditing();
  const { type, question, followUpQuestion, endLabels, choices = [], reasons = [], words } = survey;
  const { questions = [] } = survey;
  const set = (patch: TextsPatch): void => onChange({ ...texts, ...patch });
  const labels = words?.values === undefined ? [] : spreadLabels(type, words.values);
  const rows: readonly Row[] = [
    {
      ...{ path: 'question', name: 'Question', isLong: true, own: question, value: texts.question },
      onText: (text) => set({ question: text }),
    },
    ...choices.map(
      ({ code, label }, at): Row => ({
        ...{ path: `choices.${code}`, name: `Choice ${at + 1}`, own: label, value: texts.choices?.[code] },
        onText: (text) => set({ choices: { ...texts.choices, [code]: text } }),
      }),
    ),
    {
      ...{ path: 'followUpQuestion', name: 'Follow-up question', isLong: true, own: followUpQuestion },
      ...{ value: texts.followUpQuestion, onText: (text) => set({ followUpQuestion: text }) },
    },
    ...translationsIn(FOLLOW_UPS, survey, texts).map(
      ({ own, ratings, at, entry, put }): Row => ({
        ...{ path: `followUps[${at}].question`, name: `Follow-up question, ${ratingWords(ratings)}` },
        ...{ isLong: true, own: own.question, value: entry?.question },
        onText: (question) => set(put(question === undefined ? undefined : { ...own, question })),
      }),
    ),
    ...(['low', 'high'] as const).map(
      (side): Row => ({
        ...{ path: `endLabels.${side}`, name: `Label at the ${side} end` },
        ...{ own: endLabels?.[side], value: texts.endLabels?.[side] },
        onText: (text) => set({ endLabels: typedEnd(texts.endLabels, side, text) }),
      }),
    ),
    ...reasons.map(
      ({ code, label }, at): Row => ({
        ...{ path: `reasons.${code}`, name: `Reason ${at + 1}`, own: label, value: texts.reasons?.[code] },
        onText: (text) => set({ reasons: { ...texts.reasons, [code]: text } }),
      }),
    ),
    ...questions.flatMap(({ id, text, choices: labels = [], endLabels: ends }, at): Row[] => {
      const own = texts.questions?.[id] ?? {};
      const [path, name] = [`questions.${id}`, `Question ${at + 1}`];
      const put = (patch: QuestionPatch) =>
        set({ questions: { ...texts.questions, [id]: { ...own, ...patch } } });
      return [
        {
          ...{ path: `${path}.text`, name, isLong: true, own: text, value: own.text },
          onText: (typed) => put({ text: typed }),
        },
        ...labels.map(
          ({ code, label }, place): Row => ({
            ...{ path: `${path}.choices.${code}`, name: `${name}, choice ${place + 1}`, own: label },
            ...{ value: own.choices?.[code] },
            onText: (typed) => put({ choices: { ...own.choices, [code]: typed } }),
          }),
        ),
        ...(['low', 'high'] as const).map(
          (side): Row => ({
            ...{ path: `${path}.endLabels.${side}`, name: `${name}, label at the ${side} end` },
            ...{ own: ends?.[side], value: own.endLabels?.[side] },
            onText: (typed) => put({ endLabels: typedEnd(own.endLabels, side, typed) }),
          }),
        ),
      ];
    }),
    ...thanksRows(
      '',
      plainPath(texts.thanks),
      plainThanks(survey.thanks),
      plainThanks(texts.thanks),
      (part) => set({ thanks: typedPlainThanks(texts.thanks, part) }),
    ),
    ...translationsIn(THANKS, survey, texts).flatMap(({ own, ratings, at, entry, put }) =>
      thanksRows(`, ${ratingWords(ratings)}`, `thanks[${at}]`, own, entry, (part) => {
        const { ratings: _, ...said } = entry ?? { text: '' };
        const next = typedThanks(said, part);
        set(put(next && { ...next, ratings: own.ratings }));
      }),
    ),
    ...labels.map(
      (label, at): Row => ({
        ...{
          path: `words.values[${at}]`,
          name: `Label for rating ${TYPES[type].scale.min + at}`,
          own: label,
        },
        value: spreadLabels(type, texts.words?.values)[at],
        onText: (text) => set({ words: typedLabel(type, texts.words, at, text) }),
      }),
    ),
    ...WORDS.map(
      ([name, label]): Row => ({
        ...{ path: `words.${name}`, name: label, own: words?.[name], value: texts.words?.[name] },
        onText: (text) => set({ words: { ...texts.words, [name]: text } }),
      }),
    ),
  ];
  return (
    <div class="translation">
      {rows
        .filter(({ own }) => own !== undefined)
        .map(({ path, name, own, ...field }) => (
          <div class="translated" key={name}>
            <div>
              <p class="about">{name}</p>
              <p dir="auto">{own}</p>
            </div>
            <TextField
              path={`locales.${tag}.${path}`}
              label={`${name}, ${languageName(tag)}`}
              language={tag}
              {...field}
            />
          </div>
        ))}
    </div>
  );
}

const NAMED = WIDGET_LANGUAGES.map((tag) => [tag, languageName(tag)] as const).sort(([, a], [, b]) =>
  a.localeCompare(b),
);
const OTHER = 'other';
const ADD_LANGUAGE_ID = 'add-language';

interface AddProps {
  readonly taken: readonly string[];
  readonly onAdd: (tag: string) => void;
}

function AddLanguage({ taken, onAdd }: AddProps) {
  const [isOther, setOther] = useState(false);
  const [tag, setTag] = useState('');
  const add = (chosen: string): void => {
    setOther(chosen === OTHER);
    if (chosen !== OTHER && chosen !== '' && !taken.includes(chosen)) onAdd(chosen);
  };
  return (
    <div class="measured">
      <Select
        id={ADD_LANGUAGE_ID}
        aria-label="Add a language"
        value=""
        options={[
          ['', 'Add a language'],
          ...NAMED.filter(([each]) => !taken.includes(each)),
          [OTHER, 'Another language'],
        ]}
        onChoose={add}
      />
      {isOther && (
        <>
          <input
            type="text"
            aria-label="Language code, such as pt-BR"
            placeholder="pt-BR"
            value={tag}
            onInput={({ currentTarget }) => setTag(currentTarget.value.trim())}
          />
          <button type="button" disabled={tag === ''} onClick={() => add(tag)}>
            Add
          </button>
        </>
      )}
    </div>
  );
}

export function LanguagesSection() {
  const { survey, change } = useEditing();
  const { locales = {} } = survey;
  const tags = Object.keys(locales);
  const [chosen, choose] = useState(tags[0] ?? '');
  const current = tags.includes(chosen) ? chosen : (tags[0] ?? '');
  const texts = locales[current];
  return (
    <Section
      id="languages"
      title="Languages"
      about={`People see the survey in the language of the page. A text without a translation appears as you wrote it above. The buttons are already available in ${WIDGET_LANGUAGES.length + 1} languages.`}
    >
      {tags.length > 0 && (
        <fieldset class="choices">
          <legend>Language</legend>
          {tags.map((tag) => (
            <label key={tag}>
              <input type="radio" name="language" checked={tag === current} onChange={() => choose(tag)} />
              <span>{languageName(tag)}</span>
            </label>
          ))}
        </fieldset>
      )}
      {texts !== undefined && (
        <>
          <Translation
            key={current}
            tag={current}
            texts={texts}
            onChange={(next) => change({ locales: { ...locales, [current]: next } })}
          />
          <button
            type="button"
            class="quiet"
            onClick={() => {
              const { [current]: _, ...others } = locales;
              change({ locales: Object.keys(others).length === 0 ? undefined : others });
              focusOn(ADD_LANGUAGE_ID);
            }}
          >
            Remove {languageName(current)}
          </button>
        </>
      )}
      <AddLanguage
        taken={tags}
        onAdd={(tag) => {
          change({ locales: { ...locales, [tag]: {} } });
          choose(tag);
          focusOn(idOf(`locales.${tag}.question`));
        }}
      />
    </Section>
  );
}
