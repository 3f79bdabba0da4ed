/** The survey in other languages: beside each of its texts the same one in the language that is chosen. */

import { useState } from 'preact/hooks';
import type { SurveyTexts } from '../../../../../shared/domain/surveys/survey.ts';
import { languageName } from '../../../rules/field-words.ts';
import { focusOn, idOf, useEditing } from '../editing.tsx';
import { ADD_LANGUAGE_ID, AddLanguage } from './add-language.tsx';
import { Section } from './section.tsx';
import { Translation } from './translation.tsx';

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
      about="People see the language of the page they are on. A text that you do not translate is shown as it is above. Buttons come translated, in 22 languages."
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
