/** What the console holds, as a survey file: to copy, or to keep. */

import { useCallback, useEffect, useState } from 'preact/hooks';
import { parseDocument } from 'yaml';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { readDefinitions } from './editor/definitions.ts';
import { useSession } from './session/session.tsx';
import { PROJECT } from './session/tab.ts';
import { Problem } from './shell/notice.tsx';

interface PulledFrom {
  readonly project: string;
  readonly revision: number;
}

/** Texts are quoted where they would mean something else; lines are as long as they are. */
function surveyFileText(pulled: PulledFrom, surveys: readonly WrittenSurvey[]): string {
  const document = parseDocument('surveys: []');
  document.set('surveys', document.createNode(surveys, { aliasDuplicateObjects: false }));
  document.set('pulled', document.createNode(pulled, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

const FILE = 'surveys.yaml';

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  Object.assign(document.createElement('a'), { href: address, download: FILE }).click();
  URL.revokeObjectURL(address);
}

export function Yaml() {
  const { ask } = useSession();
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [said, setSaid] = useState('');
  const read = useCallback(() => {
    setProblem(undefined);
    readDefinitions(ask).then(
      ({ revision, order, surveys }) => {
        const placeOf = ({ slug }: { readonly slug: string }) => order.indexOf(slug);
        const ordered = surveys.toSorted((a, b) => placeOf(a) - placeOf(b));
        setText(surveyFileText({ project: PROJECT, revision }, ordered));
      },
      (error: Error) => setProblem(error.message),
    );
  }, [ask]);
  useEffect(read, [read]);
  const copy = (): void => {
    navigator.clipboard.writeText(text ?? '').then(
      () => setSaid('Copied.'),
      () => setSaid('The browser blocked copying. Download the file, or select the text below.'),
    );
  };
  return (
    <>
      <header class="screen-top">
        <div>
          <h1>Survey file</h1>
          <p class="about">
            All surveys as they are now, for git and <code>survey apply</code>.{' '}
            <code>survey pull -f {FILE}</code> writes the same file.
          </p>
        </div>
        {text !== undefined && (
          <div class="actions">
            <button type="button" onClick={copy}>
              Copy
            </button>
            <button type="button" class="main" onClick={() => save(text)}>
              Download
            </button>
          </div>
        )}
      </header>
      <p class="about" role="status">
        {said}
      </p>
      {problem !== undefined && <Problem words={problem} action={{ words: 'Try again', run: read }} />}
      {text !== undefined && (
        <section class="card file" aria-label={FILE}>
          <textarea
            readonly
            spellcheck={false}
            aria-label={FILE}
            rows={text.split('\n').length}
            value={text}
          />
        </section>
      )}
    </>
  );
}
