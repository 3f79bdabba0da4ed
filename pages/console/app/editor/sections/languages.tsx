/** The survey in other languages: beside each of its texts the same one in the language that is chosen. */

import { useState } from 'preact/hooks';
import type { SurveyTexts } from '../../../../../shared/domain/surveys/survey.ts';
import { languageName, WIDGET_LANGUAGES } from '../../../rules/field-words.ts';
import { focusOn, idOf, Section, useEditing } from '../editing.tsx';
import { Translation } from './translation.tsx';

interface AddProps {
  readonly taken: readonly string[];
  readonly onAdd: (tag: string) => void;
}

const named = WIDGET_LANGUAGES.map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) =>
  a.name.localeCompare(b.name),
);
const OTHER = 'other';
const ADD_LANGUAGE_ID = 'add-language';

/** One of the languages that the widget speaks, or any by its tag. */
function AddLanguage({ taken, onAdd }: AddProps) {
  const [isOther, setOther] = useState(false);
  const [tag, setTag] = useState('');
  const add = (chosen: string): void => {
    setOther(chosen === OTHER);
    if (chosen !== OTHER && chosen !== '' && !taken.includes(chosen)) onAdd(chosen);
  };
  return (
    <div class="measured">
      <span class="select">
        <select
          id={ADD_LANGUAGE_ID}
          aria-label="Add a language"
          value=""
          onChange={({ currentTarget }) => add(currentTarget.value)}
        >
          <option value="">Add a language</option>
          {named
            .filter((each) => !taken.includes(each.tag))
            .map((each) => (
              <option key={each.tag} value={each.tag}>
                {each.name}
              </option>
            ))}
          <option value={OTHER}>Other</option>
        </select>
      </span>
      {isOther && (
        <>
          <input
            type="text"
            aria-label="Language, such as pt-BR"
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
  const set = (next: Readonly<Record<string, SurveyTexts>>): void =>
    change({ locales: Object.keys(next).length === 0 ? undefined : { ...next } });
  return (
    <Section
      id="languages"
      title="Languages"
      about="People see the survey in the language of the page. Texts without a translation appear as written above. Buttons are already translated into 22 languages."
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
            onChange={(next) => set({ ...locales, [current]: next })}
          />
          <button
            type="button"
            class="quiet"
            onClick={() => {
              const { [current]: _, ...others } = locales;
              set(others);
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
          set({ ...locales, [tag]: {} });
          choose(tag);
          focusOn(idOf(`locales.${tag}.question`));
        }}
      />
    </Section>
  );
}
