import { useState } from 'preact/hooks';
import { languageName } from '../../../rules/field-words.ts';
import { WIDGET_LANGUAGES } from '../../../rules/widget-languages.ts';

interface AddProps {
  readonly taken: readonly string[];
  readonly onAdd: (tag: string) => void;
}

const named = WIDGET_LANGUAGES.map((tag) => ({ tag, name: languageName(tag) })).sort((a, b) =>
  a.name.localeCompare(b.name),
);
const OTHER = 'other';
export const ADD_LANGUAGE_ID = 'add-language';

/** One of the languages that the widget speaks, or any by its tag. */
export function AddLanguage({ taken, onAdd }: AddProps) {
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
          <option value={OTHER}>Another one</option>
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
