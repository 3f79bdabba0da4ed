/** When it appears, and between which days. */

import { Section, useEditing } from '../editing.tsx';
import { ChoiceField, TextField, TimeField } from '../fields.tsx';
import { DurationField, NumberField } from '../number-fields.tsx';

const MOMENTS = [
  { value: 'auto', name: 'Automatically', about: 'Once the page is open and the person pauses.' },
  {
    value: 'event',
    name: 'After an event',
    about: 'Your product reports events, such as order-paid. Your developers have the names.',
  },
  {
    value: 'manual',
    name: 'From your code',
    about: 'Your developers show it from the code.',
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
          label="Delay"
          help="Counted from when the page opens."
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
            help="The name that your developers use."
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
            label="Then wait"
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
          label="Starts"
          help="In your time zone. Leave empty to start immediately."
          value={startsAt}
          onTime={(time) => change({ startsAt: time })}
        />
        <TimeField
          path="endsAt"
          label="Ends"
          help="In your time zone. Leave empty to run until you pause it."
          value={endsAt}
          onTime={(time) => change({ endsAt: time })}
        />
      </div>
    </Section>
  );
}
