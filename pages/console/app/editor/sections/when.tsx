import { Section, useEditing } from '../editing.tsx';
import { ChoiceField, DurationField, NumberField, TextField, TimeField } from '../fields.tsx';

const MOMENTS = [
  {
    value: 'auto',
    name: 'Automatically',
    about:
      'The survey appears after the page opens, when the person stops clicking, typing and scrolling for a moment.',
  },
  {
    value: 'event',
    name: 'After an event',
    about: 'Your product reports events, such as order-paid. Ask your developers for the names.',
  },
  { value: 'manual', name: 'When your code shows it', about: 'Your developers decide in the code.' },
  {
    value: 'person',
    name: 'When the person opens it',
    about: 'The person presses a button of your product, such as Feedback.',
  },
] as const;

export function WhenSection() {
  const { survey, change } = useEditing();
  const { slug, trigger, delayMs, on, startsAt, endsAt } = survey;
  const ofAuto = on === undefined ? 'auto' : 'event';
  const moment = trigger === 'auto' ? ofAuto : trigger;
  const choose = (value: (typeof MOMENTS)[number]['value']): void =>
    change({
      trigger: value === 'event' ? 'auto' : value,
      on: value === 'event' ? (on ?? { event: '' }) : undefined,
      delayMs: value === 'auto' ? delayMs : undefined,
    });
  return (
    <Section id="when" title="Timing">
      <ChoiceField
        path="trigger"
        label="When it appears"
        value={moment}
        options={MOMENTS}
        onChoose={choose}
      />
      {moment === 'person' && (
        <div>
          <p class="about">Your developers add a button to the page, or open the survey in the code:</p>
          <p>
            <code>{`<button data-canvass-open="${slug}">Feedback</button>`}</code>
          </p>
          <p>
            <code>{`canvass.open('${slug}')`}</code>
          </p>
        </div>
      )}
      {moment === 'auto' && (
        <NumberField
          path="delayMs"
          label="Delay"
          help="The delay starts when the page opens."
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
            help="Enter the name that your developers use."
            isRequired
            value={on.event}
            placeholder="order-paid"
            onText={(event = '') => change({ on: { ...on, event } })}
          />
          <NumberField
            path="on.times"
            label="Number of times"
            help="The survey appears after this many events within one visit."
            value={on.times}
            placeholder="1"
            unit="times"
            onNumber={(times) => change({ on: { ...on, times } })}
          />
          <DurationField
            path="on.after"
            label="Delay after the event"
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
          label="Start time"
          help="In your time zone. Leave empty to start immediately."
          value={startsAt}
          onTime={(time) => change({ startsAt: time })}
        />
        <TimeField
          path="endsAt"
          label="End time"
          help="In your time zone. Leave empty to run until you pause the survey."
          value={endsAt}
          onTime={(time) => change({ endsAt: time })}
        />
      </div>
    </Section>
  );
}
