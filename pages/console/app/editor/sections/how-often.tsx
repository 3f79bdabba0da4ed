/** How often one person may be asked. */

import type { WrittenRepeat } from '../../../../../shared/domain/surveys/repeat.ts';
import { Section, useEditing } from '../editing.tsx';
import { CheckField, ChoiceField } from '../fields.tsx';
import { DurationField, NumberField } from '../number-fields.tsx';

const WAYS = [
  { value: 'never', name: 'Once', about: 'People who answered or closed it do not see it again.' },
  {
    value: 'after',
    name: 'Again after some time',
    about: 'Counted from the response, or from when the person closed it.',
  },
  {
    value: 'session',
    name: 'Once per session',
    about: 'For AI assistants. Your server asks in each session.',
  },
  {
    value: 'observation',
    name: 'Once per message',
    about: 'For AI assistants. Your server asks under each message.',
  },
] as const;
type Way = (typeof WAYS)[number]['value'];

const USUAL = '90d';

function wayOf(repeat: WrittenRepeat | undefined): Way {
  if (repeat === undefined || repeat === 'never') return 'never';
  return repeat === 'session' || repeat === 'observation' ? repeat : 'after';
}

/** Both waits of a repeat: `never` is no wait. */
function waitsOf(repeat: WrittenRepeat | undefined): {
  readonly answered?: string;
  readonly dismissed?: string;
} {
  const { answered, dismissed } =
    typeof repeat === 'object' ? repeat : { answered: repeat ?? 'never', dismissed: repeat ?? 'never' };
  return {
    ...(answered !== undefined && answered !== 'never' && { answered }),
    ...(dismissed !== undefined && dismissed !== 'never' && { dismissed }),
  };
}

export function HowOftenSection() {
  const { survey, change } = useEditing();
  const { repeat, limits = {} } = survey;
  const way = wayOf(repeat);
  const waits = waitsOf(repeat);
  const choose = (next: Way): void =>
    change({ repeat: next === 'never' ? undefined : next === 'after' ? USUAL : next });
  const wait = (next: {
    readonly answered?: string | undefined;
    readonly dismissed?: string | undefined;
  }) => {
    const { answered, dismissed } = { ...waits, ...next };
    const isSame = answered !== undefined && answered === dismissed;
    const both = {
      ...(answered !== undefined && { answered }),
      ...(dismissed !== undefined && { dismissed }),
    };
    change({ repeat: isSame ? answered : both });
  };
  const setQuietPeriod = (written: string | undefined): void => {
    const { quietPeriod: _, ...others } = limits;
    change({ limits: { ...others, ...(written !== undefined && { quietPeriod: written }) } });
  };
  return (
    <Section
      id="how-often"
      title="How often"
      about="The project also has limits across all surveys: a quiet period, and a monthly cap per person."
    >
      <ChoiceField path="repeat" label="Each person is asked" value={way} options={WAYS} onChoose={choose} />
      {way === 'after' && (
        <div class="pair">
          <DurationField
            path="repeat.answered"
            label="After a response"
            help="Leave empty for never."
            value={waits.answered}
            onDuration={(answered) => wait({ answered })}
          />
          <DurationField
            path="repeat.dismissed"
            label="After closing it"
            help="Leave empty for never."
            value={waits.dismissed}
            onDuration={(dismissed) => wait({ dismissed })}
          />
        </div>
      )}
      <div class="pair">
        <DurationField
          path="limits.quietPeriod"
          label="Quiet period"
          help="Time since any other survey. Leave empty to use the project’s."
          value={limits.quietPeriod}
          onDuration={setQuietPeriod}
        />
        <NumberField
          path="limits.maxResponses"
          label="Ends after"
          help="Leave empty for no limit."
          value={limits.maxResponses}
          unit="responses"
          onNumber={(maxResponses) => change({ limits: { ...limits, maxResponses } })}
        />
      </div>
      <CheckField
        path="limits.ignoreQuietPeriod"
        label="Ignore the quiet period"
        about="People can be asked right after another survey."
        isChecked={limits.ignoreQuietPeriod === true}
        onCheck={(isChecked) =>
          change({ limits: { ...limits, ignoreQuietPeriod: isChecked ? true : undefined } })
        }
      />
    </Section>
  );
}
