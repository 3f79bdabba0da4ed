import { plainThanks } from '../../../../../shared/domain/surveys/by-rating.ts';
import type { SurveyWords } from '../../../../../shared/domain/surveys/survey.ts';
import { type ThanksPart, typedPlainThanks } from '../../../rules/typed-values.ts';
import { hrefOf } from '../../shell/route.ts';
import { Section, useEditing } from '../editing.tsx';
import { CheckField, NumberField, TextField } from '../fields.tsx';

/** Name, label and default of each field. */
export const WORDS = [
  ['send', 'Send button', 'Send'],
  ['close', 'Close button, for screen readers', 'Close'],
  ['contact', 'Contact checkbox', 'You may contact me about this'],
  ['contactAddress', 'Email field', 'Your email address'],
] as const satisfies readonly (readonly [keyof SurveyWords, string, string])[];

export function ThanksSection() {
  const { survey, change } = useEditing();
  const { words } = survey;
  const thanks = plainThanks(survey.thanks);
  const { label, url } = thanks?.link ?? {};
  const set = (part: ThanksPart): void => change({ thanks: typedPlainThanks(survey.thanks, part) });
  return (
    <Section id="thanks" title="After the response">
      <TextField
        path="thanks.text"
        label="Thank-you message"
        isLong
        value={thanks?.text}
        placeholder="Thank you!"
        onText={(text = '') => set({ text })}
      />
      <div class="pair">
        <TextField
          path="thanks.link.label"
          label="Link text"
          value={label}
          placeholder="Book a call"
          onText={(text = '') => set({ label: text })}
        />
        <TextField
          path="thanks.link.url"
          label="Link address"
          inputMode="url"
          value={url}
          placeholder="https://"
          onText={(text = '') => set({ url: text })}
        />
      </div>
      <details class="more">
        <summary>Buttons, priority, and badge</summary>
        <div class="pair">
          {WORDS.map(([name, about, usual]) => (
            <TextField
              key={name}
              path={`words.${name}`}
              label={about}
              value={words?.[name]}
              placeholder={usual}
              onText={(text) => change({ words: { ...words, [name]: text } })}
            />
          ))}
        </div>
        <NumberField
          path="priority"
          label="Priority"
          help={
            <>
              If a person qualifies for several surveys, the one with the highest priority is shown. Surveys
              with the same priority follow <a href={hrefOf({ screen: 'order' })}>the survey order</a>.
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
