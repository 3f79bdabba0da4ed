/** Whom it is for: traits that the page says of people, and a share of them. */

import { useState } from 'preact/hooks';
import type { TargetingRule } from '../../../../../shared/domain/surveys/survey.ts';
import { OPERATORS } from '../../../rules/change-words.ts';
import { readOperand, writeOperand } from '../../../rules/typed-values.ts';
import { focusOn, idOf, Section, useEditing } from '../editing.tsx';
import { Problem, TextField } from '../fields.tsx';
import { NumberField } from '../number-fields.tsx';

/** What it is to be known or not is two choices here, and one with a value in a file. */
const CHOICES = [
  ...Object.entries(OPERATORS).map(([op, words]) => ({ name: op, words })),
  { name: 'unknown', words: 'is not known' },
];

const nameOf = ({ op, value }: TargetingRule): string =>
  op === 'exists' && value === false ? 'unknown' : op;

const isOperator = (name: string): name is TargetingRule['op'] => name in OPERATORS;

interface RuleProps {
  readonly at: number;
  readonly rule: TargetingRule;
  readonly onChange: (rule: TargetingRule) => void;
  readonly onRemove: () => void;
}

function Rule({ at, rule, onChange, onRemove }: RuleProps) {
  const { problemAt, touch } = useEditing();
  const { trait, op } = rule;
  const [text, setText] = useState(() => writeOperand(rule.value));
  const path = `targeting[${at}]`;
  const choose = (name: string): void => {
    if (name === 'unknown') onChange({ trait, op: 'exists', value: false });
    else if (name === 'exists') onChange({ trait, op: name });
    else if (isOperator(name)) onChange({ trait, op: name, value: readOperand(name, text) });
  };
  const type = (typed: string): void => {
    setText(typed);
    onChange({ trait, op, value: readOperand(op, typed) });
  };
  const problem = problemAt(`${path}.value`);
  return (
    <>
      <TextField
        path={`${path}.trait`}
        label={`Trait ${at + 1}`}
        isQuiet
        value={trait}
        placeholder="plan"
        onText={(next = '') => onChange({ ...rule, trait: next })}
      />
      <span class="select">
        <select
          aria-label={`Comparison of trait ${at + 1}`}
          value={nameOf(rule)}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {CHOICES.map(({ name, words }) => (
            <option key={name} value={name}>
              {words}
            </option>
          ))}
        </select>
      </span>
      {op !== 'exists' && (
        <div class="field">
          <input
            type="text"
            autocomplete="off"
            id={idOf(`${path}.value`)}
            aria-label={
              op === 'in' ? `Values of trait ${at + 1}, separated by commas` : `Value of trait ${at + 1}`
            }
            aria-invalid={problem !== undefined}
            {...(problem !== undefined && { 'aria-describedby': `${idOf(`${path}.value`)}-problem` })}
            placeholder={op === 'in' ? 'pro, team' : 'pro'}
            value={text}
            onInput={({ currentTarget }) => type(currentTarget.value)}
            onBlur={() => touch(`${path}.value`)}
          />
          <Problem path={`${path}.value`} />
        </div>
      )}
      <button type="button" class="quiet" aria-label={`Remove condition ${at + 1}`} onClick={onRemove}>
        Remove
      </button>
    </>
  );
}

const ADD_ID = 'add-condition';

export function WhoSection() {
  const { survey, change } = useEditing();
  const { targeting = [], samplePercent } = survey;
  const set = (next: readonly TargetingRule[]): void => change({ targeting: [...next] });
  return (
    <Section
      id="who"
      title="Who"
      about="Your product sends traits of each person, such as plan or role. Your developers have the list."
    >
      <fieldset class="field list">
        <legend>People</legend>
        <p class="about">People must meet every condition. Without conditions, everyone can be asked.</p>
        <ol>
          {targeting.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no names
            <li key={`${at}/${targeting.length}`}>
              <Rule
                at={at}
                rule={rule}
                onChange={(next) => set(targeting.map((each, place) => (place === at ? next : each)))}
                onRemove={() => {
                  set(targeting.filter((_, place) => place !== at));
                  focusOn(ADD_ID);
                }}
              />
            </li>
          ))}
        </ol>
        <button
          type="button"
          id={ADD_ID}
          onClick={() => {
            set([...targeting, { trait: '', op: 'eq', value: '' }]);
            focusOn(idOf(`targeting[${targeting.length}].trait`));
          }}
        >
          Add a condition
        </button>
      </fieldset>
      <NumberField
        path="samplePercent"
        label="Percentage of people asked"
        help="Each person is either in or out, and stays that way across visits."
        value={samplePercent}
        placeholder="100"
        unit="%"
        onNumber={(share) => change({ samplePercent: share })}
      />
    </Section>
  );
}
