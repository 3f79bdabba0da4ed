/** What follows an answer, and words in place of the widget's own. */

import type { SurveyThanks, SurveyWords } from '../../../../../shared/domain/surveys/survey.ts';
import { hrefOf } from '../../shell/route.ts';
import { Section, useEditing } from '../editing.tsx';
import { CheckField, TextField } from '../fields.tsx';
import { NumberField } from '../number-fields.tsx';

/** Thanks with another text or link; a link is there as long as one of its two texts is. */
export function thanksWith(
  thanks: SurveyThanks | undefined,
  { text = thanks?.text ?? '', label = thanks?.link?.label ?? '', url = thanks?.link?.url ?? '' },
): SurveyThanks | undefined {
  if (text === '' && label === '' && url === '') return undefined;
  return { text, ...((label !== '' || url !== '') && { link: { label, url } }) };
}

/** Words in place of the widget's own, but those of the answers: name, what it is, the usual one. */
export const WORDS = [
  ['send', 'Send button', 'Send'],
  ['close', 'Close button, for screen readers', 'Close'],
  ['contact', 'Checkbox to be contacted', 'You may write to me about this'],
  ['contactAddress', 'Email field', 'Your e-mail address'],
] as const satisfies readonly (readonly [keyof SurveyWords, string, string])[];

export function ThanksSection() {
  const { survey, change } = useEditing();
  const { thanks, words = {} } = survey;
  return (
    <Section id="thanks" title="Thanks">
      <TextField
        path="thanks.text"
        label="Message after the response"
        isLong
        value={thanks?.text}
        placeholder="Thank you!"
        onText={(text = '') => change({ thanks: thanksWith(thanks, { text }) })}
      />
      <div class="pair">
        <TextField
          path="thanks.link.label"
          label="Link text"
          value={thanks?.link?.label}
          placeholder="Book a call"
          onText={(label = '') => change({ thanks: thanksWith(thanks, { label }) })}
        />
        <TextField
          path="thanks.link.url"
          label="Link address"
          inputMode="url"
          value={thanks?.link?.url}
          placeholder="https://"
          onText={(url = '') => change({ thanks: thanksWith(thanks, { url }) })}
        />
      </div>
      <details class="more">
        <summary>Buttons, priority, and badge</summary>
        <div class="pair">
          {WORDS.map(([name, label, usual]) => (
            <TextField
              key={name}
              path={`words.${name}`}
              label={label}
              value={words[name]}
              placeholder={usual}
              onText={(text) => {
                const { [name]: _, ...others } = words;
                change({ words: { ...others, ...(text !== undefined && { [name]: text }) } });
              }}
            />
          ))}
        </div>
        <NumberField
          path="priority"
          label="Priority"
          help={
            <>
              When more than one survey fits, the one with the higher priority is shown. Otherwise, they
              follow <a href={hrefOf({ screen: 'order' })}>the survey order</a>.
            </>
          }
          value={survey.priority}
          placeholder="0"
          onNumber={(priority) => change({ priority })}
        />
        <CheckField
          path="showBadge"
          label="Show “Powered by Canvass”"
          isChecked={survey.showBadge === true}
          onCheck={(isChecked) => change({ showBadge: isChecked ? true : undefined })}
        />
      </details>
    </Section>
  );
}
