const WORDS: readonly (readonly [term: string, about: string])[] = [
  ['Impression', 'The survey was shown to a person. The response rate is responses divided by impressions.'],
  ['Response', 'A person answered a survey. They can add a comment and ask to be contacted.'],
  [
    'Dismissal',
    'A person closed the survey without an answer. It is not a response, but it also starts the quiet period.',
  ],
  [
    'How often each person is asked',
    'By default, each person is asked once. You can ask the same person again some time after a response or a dismissal.',
  ],
  [
    'Quiet period',
    'How long a person sees no other survey after answering or closing one. Thumbs under messages do not count.',
  ],
  [
    'Percentage of people asked',
    'The share of people who can be asked. The same people are included on every visit.',
  ],
  [
    'Trait',
    'Information that your product sends about a person, such as their plan. Conditions compare traits.',
  ],
  [
    'Audience',
    'The people who can be asked. They meet every condition and are within the percentage of people asked.',
  ],
  ['Breakdown', 'Separate results for groups of people, such as those on each plan.'],
  [
    '95% interval',
    'The score is an estimate. This range very likely contains the true score. It is wider when there are fewer responses.',
  ],
  [
    'Paused',
    'The survey is no longer shown. People who have it open can still answer. You can resume it at any time.',
  ],
  ['Archived', 'The survey is over and no longer shown. Its results stay available.'],
];

const HERE = [
  'Write surveys in any language, and preview them as people will see them.',
  'Choose who is asked, on which pages, after which events, and how often.',
  'Review what changes, and then publish, pause, or archive the survey.',
  'Read results and comments, and mark contact requests as handled.',
];

const ENGINEERING = [
  'Add the Canvass SDK to your product once. Give it the ID and traits of each person who signs in.',
  'Tell you the names of pages and events that surveys can use.',
  'Create keys, manage access, and set the project’s quiet period and monthly cap.',
  'Optionally, keep surveys in a file in git. Changes in the file and in the console never overwrite each other silently.',
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
          <h2>Terms</h2>
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
          <Steps title="What your developers do" steps={ENGINEERING} />
        </div>
      </div>
    </>
  );
}
