/** What each answer means: of product-market fit all that is seen, of the other types what is read aloud. */

import { answersOf, spreadWords, typedWords } from '../../../rules/answer-words.ts';
import { useEditing } from '../editing.tsx';
import { TextField } from '../fields/text-field.tsx';

/** Of product-market fit, lowest first. */
const USUAL = ['Not disappointed', 'Somewhat disappointed', 'Very disappointed'];

export function Answers() {
  const { survey, change } = useEditing();
  const { type, words = {} } = survey;
  const set = (at: number, text = ''): void => {
    const { values, ...others } = words;
    const next = typedWords(type, values, at, text);
    change({ words: { ...others, ...(next !== undefined && { values: next }) } });
  };
  const count = answersOf(type);
  return (
    <div class="pair">
      {spreadWords(type, words.values).map((text, at) => {
        const usual = type === 'pmf' ? USUAL[at] : undefined;
        return (
          <TextField
            // biome-ignore lint/suspicious/noArrayIndexKey: an answer is its place
            key={at}
            path={`words.values[${at}]`}
            label={`Answer ${at + 1}${type === 'pmf' ? '' : ` of ${count}`}`}
            value={text}
            {...(usual !== undefined && { placeholder: usual })}
            onText={(typed) => set(at, typed)}
          />
        );
      })}
    </div>
  );
}
