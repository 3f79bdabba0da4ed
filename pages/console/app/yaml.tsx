import { useState } from 'preact/hooks';
import { parseDocument } from 'yaml';
import type { WrittenSurvey } from '../../../shared/domain/surveys/written-survey.ts';
import { type Ask, readDefinitions } from './session/ask.ts';
import { useReply } from './session/session.tsx';
import { PROJECT } from './session/tab.ts';
import { Problem, Waiting } from './shell/notice.tsx';

/** `survey pull` writes the same file. */
async function readFile(ask: Ask): Promise<string> {
  const { revision, order, surveys } = await readDefinitions(ask);
  const placeOf = ({ slug }: WrittenSurvey) => order.indexOf(slug);
  const ordered = surveys.toSorted((a, b) => placeOf(a) - placeOf(b));
  const document = parseDocument('surveys: []');
  document.set('surveys', document.createNode(ordered, { aliasDuplicateObjects: false }));
  document.set('pulled', document.createNode({ project: PROJECT, revision }, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

const FILE = 'surveys.yaml';

function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  Object.assign(document.createElement('a'), { href: address, download: FILE }).click();
  URL.revokeObjectURL(address);
}

export function Yaml() {
  const { reply: text, problem, again } = useReply(readFile);
  const [note, setNote] = useState('');
  const copy = (): void => {
    navigator.clipboard.writeText(text ?? '').then(
      () => setNote('The file was copied.'),
      () => setNote('The browser blocked copying. Download the file, or select the text below.'),
    );
  };
  return (
    <>
      <header class="screen-top">
        <div>
          <h1>Survey file</h1>
          <p class="about">
            This file contains all surveys as they are now. Keep it in git, and use it with{' '}
            <code>survey apply</code>. The command <code>survey pull -f {FILE}</code> writes the same file.
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
        {note}
      </p>
      {problem !== undefined && <Problem words={problem} action={{ words: 'Try again', run: again }} />}
      {text === undefined && problem === undefined && <Waiting />}
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
