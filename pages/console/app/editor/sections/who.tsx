import { useState } from 'preact/hooks';
import type { TargetingRule } from '../../../../../shared/domain/surveys/survey.ts';
import { OPERATORS } from '../../../rules/change-words.ts';
import { readOperand, writeOperand } from '../../../rules/typed-values.ts';
import { Section, useEditing } from '../editing.tsx';
import { ListField, NumberField, Select, TextField } from '../fields.tsx';

/** A survey file writes "is not known" as `exists` with the value false. */
const CHOICES = [...Object.entries(OPERATORS), ['unknown', 'is not known']] as const;

const nameOf = ({ op, value }: TargetingRule): string =>
  op === 'exists' && value === false ? 'unknown' : op;

const isOperator = (name: string): name is TargetingRule['op'] => name in OPERATORS;

interface RuleProps {
  readonly at: number;
  readonly rule: TargetingRule;
  readonly onChange: (rule: TargetingRule) => void;
}

function Rule({ at, rule, onChange }: RuleProps) {
  const { trait, op } = rule;
  const [text, setText] = useState(() => writeOperand(rule.value));
  const choose = (name: string): void => {
    if (name === 'unknown') onChange({ trait, op: 'exists', value: false });
    else if (name === 'exists') onChange({ trait, op: name });
    else if (isOperator(name)) onChange({ trait, op: name, value: readOperand(name, text) });
  };
  const type = (typed = ''): void => {
    setText(typed);
    onChange({ trait, op, value: readOperand(op, typed) });
  };
  return (
    <>
      <TextField
        path={`targeting[${at}].trait`}
        label={`Trait ${at + 1}`}
        isQuiet
        value={trait}
        placeholder="plan"
        onText={(next = '') => onChange({ ...rule, trait: next })}
      />
      <Select
        aria-label={`Comparison of trait ${at + 1}`}
        value={nameOf(rule)}
        options={CHOICES}
        onChoose={choose}
      />
      {op !== 'exists' && (
        <TextField
          path={`targeting[${at}].value`}
          label={op === 'in' ? `Values of trait ${at + 1}, separated by commas` : `Value of trait ${at + 1}`}
          isQuiet
          value={text}
          placeholder={op === 'in' ? 'pro, team' : 'pro'}
          onText={type}
        />
      )}
    </>
  );
}

export function WhoSection() {
  const { survey, change } = useEditing();
  const { targeting = [], samplePercent, trigger } = survey;
  const isByPerson = trigger === 'person';
  const set = (next: readonly TargetingRule[]): void => change({ targeting: [...next] });
  return (
    <Section
      id="who"
      title="Audience"
      about="Your product sends traits for each person, such as their plan or role. Ask your developers for the list."
    >
      <ListField
        label="Conditions"
        about={`People must meet every condition. Without conditions, everyone can ${isByPerson ? 'open the survey' : 'be asked'}.`}
        item="condition"
        rows={targeting}
        draw={(rule, at) => (
          <Rule
            at={at}
            rule={rule}
            onChange={(next) => set(targeting.map((each, place) => (place === at ? next : each)))}
          />
        )}
        onAdd={() => {
          set([...targeting, { trait: '', op: 'eq', value: '' }]);
          return `targeting[${targeting.length}].trait`;
        }}
        onRemove={(at) => set(targeting.filter((_, place) => place !== at))}
      />
      {!isByPerson && (
        <NumberField
          path="samplePercent"
          label="Percentage of people asked"
          help="The same people are included on every visit."
          value={samplePercent}
          placeholder="100"
          unit="%"
          onNumber={(share) => change({ samplePercent: share })}
        />
      )}
    </Section>
  );
}
