/** Whom it is for: traits that the page says of people, and a share of them. */

import type { TargetingRule } from '../../../../../shared/domain/surveys/survey.ts';
import { focusOn, idOf, useEditing } from '../editing.tsx';
import { NumberField } from '../fields/number-fields.tsx';
import { Rule } from './rule.tsx';
import { Section } from './section.tsx';

const ADD_ID = 'add-condition';

export function WhoSection() {
  const { survey, change } = useEditing();
  const { targeting = [], samplePercent } = survey;
  const set = (next: readonly TargetingRule[]): void => change({ targeting: [...next] });
  return (
    <Section
      id="who"
      title="Who"
      about="Your product says who has which trait, such as a plan or a role. Engineering has the list."
    >
      <fieldset class="field list">
        <legend>People</legend>
        <p class="about">All conditions must hold. Without any, it is everybody.</p>
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
        label="Share of them"
        help="The same people stay in it, however often they come back."
        value={samplePercent}
        placeholder="100"
        unit="%"
        onNumber={(share) => change({ samplePercent: share })}
      />
    </Section>
  );
}
