/** When it appears, and between which days. */

import { Section, useEditing } from '../editing.tsx';
import { ChoiceField, TextField, TimeField } from '../fields.tsx';
import { DurationField, NumberField } from '../number-fields.tsx';

const MOMENTS = [
  { value: 'auto', name: 'By itself', about: 'Once the page is open and the person pauses.' },
  {
    value: 'event',
    name: 'After an event',
    about: 'Such as order-paid, which your product reports. Engineering has the names.',
  },
  {
    value: 'manual',
    name: 'When your product asks for it',
    about: 'Engineering calls it at a place in the code.',
  },
] as const;

export function WhenSection() {
  const { survey, change } = useEditing();
  const { trigger, delayMs, on, startsAt, endsAt } = survey;
  const moment = trigger === 'manual' ? 'manual' : on === undefined ? 'auto' : 'event';
  const choose = (value: (typeof MOMENTS)[number]['value']): void =>
    change({
      trigger: value === 'manual' ? 'manual' : 'auto',
      on: value === 'event' ? (on ?? { event: '' }) : undefined,
      delayMs: value === 'auto' ? delayMs : undefined,
    });
  return (
    <Section id="when" title="When">
      <ChoiceField path="trigger" label="Moment" value={moment} options={MOMENTS} onChoose={choose} />
      {moment === 'auto' && (
        <NumberField
          path="delayMs"
          label="Waits for"
          help="From the moment that the page is open."
          value={delayMs === undefined ? undefined : delayMs / 1_000}
          placeholder="0"
          unit="seconds"
          onNumber={(seconds) => change({ delayMs: seconds === undefined ? undefined : seconds * 1_000 })}
        />
      )}
      {on !== undefined && moment === 'event' && (
        <div class="pair">
          <TextField
            path="on.event"
            label="Event"
            help="As engineering calls it."
            isRequired
            value={on.event}
            placeholder="order-paid"
            onText={(event = '') => change({ on: { ...on, event } })}
          />
          <NumberField
            path="on.times"
            label="How many times"
            help="Within one visit."
            value={on.times}
            placeholder="1"
            unit="times"
            onNumber={(times) => change({ on: { ...on, times } })}
          />
          <DurationField
            path="on.after"
            label="Then it waits for"
            unit="s"
            value={on.after}
            placeholder="0"
            onDuration={(after) => change({ on: { ...on, after: after === '0' ? undefined : after } })}
          />
        </div>
      )}
      <div class="pair">
        <TimeField
          path="startsAt"
          label="From"
          help="In your time zone. Empty: at once."
          value={startsAt}
          onTime={(time) => change({ startsAt: time })}
        />
        <TimeField
          path="endsAt"
          label="Until"
          help="In your time zone. Empty: until you pause it."
          value={endsAt}
          onTime={(time) => change({ endsAt: time })}
        />
      </div>
    </Section>
  );
}
