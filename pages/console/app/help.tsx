/** The words of surveys in ten lines, and who does what. */

const WORDS: readonly (readonly [term: string, about: string])[] = [
  ['Show', 'The survey was on somebody’s screen. Shows tell how many of those who saw it answered.'],
  ['Response', 'Somebody chose a rating. Words and a wish to be contacted may come with it, or later.'],
  [
    'Dismissal',
    'Somebody closed it without a rating. It is no response, and they are left alone as long as if it were one.',
  ],
  [
    'Interval',
    'After an answer or a dismissal, how long until the same person may be asked the same again; or never.',
  ],
  [
    'Quiet period',
    'How long a person is left alone by every survey after an answer to any of them. Thumbs under messages do not count.',
  ],
  ['Sampling', 'The share of people who may be asked at all. A person stays in it or out of it.'],
  [
    'Segment',
    'What your product says of people, such as their plan: whom to ask, and how results are divided.',
  ],
  [
    '95 % interval',
    'The score is an estimate from those who answered. The fewer they are, the wider the span in which it may lie.',
  ],
  [
    'Paused',
    'Nobody is asked any more. Who has it on screen may still answer; a later start goes on from there.',
  ],
  ['Archived', 'It is over: nobody is asked, and the results stay.'],
];

const HERE = [
  'Write surveys, in every language that you need, and see them as people will.',
  'Choose who is asked, on which pages and after which events, how often, and of how many.',
  'Publish, pause and archive, each after reading what changes.',
  'Read results and comments; note who was contacted.',
];

const ENGINEERING = [
  'Put the client into the product once, and say there who is signed in and what is known of them.',
  'Name pages and events that surveys may wait for.',
  'Give keys, put people on the lists, set the project’s quiet period and caps.',
  'Keep surveys in a file in git, if you want both: the file and this console never undo each other unseen.',
];

function Steps({ title, steps }: { readonly title: string; readonly steps: readonly string[] }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="steps">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </section>
  );
}

export function Help() {
  return (
    <>
      <header class="screen-top">
        <h1>Help</h1>
      </header>
      <div class="help">
        <section class="card">
          <h2>Words</h2>
          <dl class="words-of">
            {WORDS.map(([term, about]) => (
              <div key={term}>
                <dt>{term}</dt>
                <dd>{about}</dd>
              </div>
            ))}
          </dl>
        </section>
        <div>
          <Steps title="What you do here" steps={HERE} />
          <Steps title="What you ask engineering" steps={ENGINEERING} />
        </div>
      </div>
    </>
  );
}
