import type { WrittenRepeat } from '../../../../../shared/domain/surveys/repeat.ts';
import { Section, useEditing } from '../editing.tsx';
import { CheckField, ChoiceField, DurationField, NumberField } from '../fields.tsx';

const WAYS = [
  { value: 'never', name: 'Once', about: 'People who answered or closed the survey do not see it again.' },
  {
    value: 'after',
    name: 'Again after some time',
    about: 'The time starts when the person answers or closes the survey.',
  },
  {
    value: 'session',
    name: 'Once per session',
    about: 'For AI assistants: your server asks once in each session.',
  },
  {
    value: 'observation',
    name: 'Once per message',
    about: 'For AI assistants: your server asks under each message.',
  },
] as const;
type Way = (typeof WAYS)[number]['value'];

const USUAL = '90d';

function wayOf(repeat: WrittenRepeat | undefined): Way {
  if (repeat === undefined || repeat === 'never') return 'never';
  return repeat === 'session' || repeat === 'observation' ? repeat : 'after';
}

interface Waits {
  readonly answered?: string | undefined;
  readonly dismissed?: string | undefined;
}

/** An undefined wait means never. */
function waitsOf(repeat: WrittenRepeat = 'never'): Waits {
  const { answered, dismissed } =
    typeof repeat === 'object' ? repeat : { answered: repeat, dismissed: repeat };
  const known = (wait: string | undefined) => (wait === 'never' ? undefined : wait);
  return { answered: known(answered), dismissed: known(dismissed) };
}

export function HowOftenSection() {
  const { survey, change } = useEditing();
  const { repeat, limits } = survey;
  const way = wayOf(repeat);
  const waits = waitsOf(repeat);
  const choose = (next: Way): void =>
    change({ repeat: next === 'never' ? undefined : next === 'after' ? USUAL : next });
  const wait = (part: Waits): void => {
    const next = { ...waits, ...part };
    const isSame = next.answered !== undefined && next.answered === next.dismissed;
    change({ repeat: isSame ? next.answered : next });
  };
  const most = (
    <NumberField
      path="limits.maxResponses"
      label="Maximum responses"
      help="The survey ends after this many responses. Leave empty for no limit."
      value={limits?.maxResponses}
      unit="responses"
      onNumber={(maxResponses) => change({ limits: { ...limits, maxResponses } })}
    />
  );
  if (survey.trigger === 'person')
    return (
      <Section
        id="how-often"
        title="Frequency"
        about="Each person can answer up to ten times a day. The project’s quiet period and monthly cap do not apply."
      >
        {most}
      </Section>
    );
  return (
    <Section
      id="how-often"
      title="Frequency"
      about="The project also has limits across all surveys: a quiet period, and a monthly cap per person."
    >
      <ChoiceField
        path="repeat"
        label="How often each person is asked"
        value={way}
        options={WAYS}
        onChoose={choose}
      />
      {way === 'after' && (
        <div class="pair">
          <DurationField
            path="repeat.answered"
            label="Time after a response"
            help="Leave empty to never ask again."
            value={waits.answered}
            onDuration={(answered) => wait({ answered })}
          />
          <DurationField
            path="repeat.dismissed"
            label="Time after a dismissal"
            help="Leave empty to never ask again."
            value={waits.dismissed}
            onDuration={(dismissed) => wait({ dismissed })}
          />
        </div>
      )}
      <div class="pair">
        <DurationField
          path="limits.quietPeriod"
          label="Quiet period"
          help="The survey waits this long after any other survey. Leave empty to use the project’s quiet period."
          value={limits?.quietPeriod}
          onDuration={(quietPeriod) => change({ limits: { ...limits, quietPeriod } })}
        />
        {most}
      </div>
      <CheckField
        path="limits.ignoreQuietPeriod"
        label="Ignore the quiet period"
        about="People can be asked right after another survey."
        isChecked={limits?.ignoreQuietPeriod === true}
        onCheck={(isChecked) =>
          change({ limits: { ...limits, ignoreQuietPeriod: isChecked ? true : undefined } })
        }
      />
    </Section>
  );
}
