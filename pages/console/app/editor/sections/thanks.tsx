import { plainThanks } from '../../../../../shared/domain/surveys/by-rating.ts';
import {
  hasScale,
  type SurveyThanks,
  type SurveyWords,
} from '../../../../../shared/domain/surveys/survey.ts';
import { plainPath, THANKS } from '../../../rules/rating-entries.ts';
import { type ThanksPart, typedPlainThanks, typedThanks } from '../../../rules/typed-values.ts';
import { hrefOf } from '../../shell/route.ts';
import { Section, useEditing } from '../editing.tsx';
import { CheckField, NumberField, TextField } from '../fields.tsx';
import { ByRating } from './by-rating.tsx';

/** Name, label and default of each field. */
export const WORDS = [
  ['send', 'Send button', 'Send'],
  ['close', 'Close button, for screen readers', 'Close'],
  ['contact', 'Contact checkbox', 'You may contact me about this'],
  ['contactAddress', 'Email field', 'Your email address'],
] as const satisfies readonly (readonly [keyof SurveyWords, string, string])[];

/** Part, path, name and example of each field. */
export const PARTS = [
  ['text', 'text', 'Thank-you message', 'Thank you!'],
  ['label', 'link.label', 'Link text', 'Book a call'],
  ['url', 'link.url', 'Link address', 'https://'],
] as const satisfies readonly (readonly [keyof ThanksPart, ...string[]])[];

export const partsOf = (thanks: SurveyThanks | undefined): ThanksPart => ({ ...thanks, ...thanks?.link });

interface MessageProps {
  readonly path: string;
  /** Tells the labels of several messages apart. */
  readonly number?: string;
  readonly thanks: SurveyThanks | undefined;
  readonly onPart: (part: ThanksPart) => void;
}

function Message({ path, number = '', thanks, onPart }: MessageProps) {
  const [message, ...link] = PARTS.map(([part, place, name, example]) => (
    <TextField
      key={part}
      path={`${path}.${place}`}
      label={`${name}${number}`}
      isLong={part === 'text'}
      {...(part === 'url' && { inputMode: part })}
      value={partsOf(thanks)[part]}
      placeholder={example}
      onText={(text = '') => onPart({ [part]: text })}
    />
  ));
  return (
    <>
      {message}
      <div class="pair">{link}</div>
    </>
  );
}

export function ThanksSection() {
  const { survey, change } = useEditing();
  const { words } = survey;
  return (
    <Section id="thanks" title="After the response">
      <Message
        path={plainPath(survey.thanks)}
        thanks={plainThanks(survey.thanks)}
        onPart={(part) => change({ thanks: typedPlainThanks(survey.thanks, part) })}
      />
      {hasScale(survey.type) && (
        <ByRating
          list={THANKS}
          field="thanks"
          label="Thank-you messages by rating"
          about="Each of these replaces the message and the link above for the ratings that you select. For example, ask only satisfied people for a review."
          item="thank-you message"
          empty={{ ratings: [], text: '' }}
          draw={(entry, at, put) => (
            <Message
              path={`thanks[${at}]`}
              number={` ${at + 1}`}
              thanks={entry}
              onPart={(part) => put(typedThanks(entry, part) ?? entry)}
            />
          )}
        />
      )}
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
