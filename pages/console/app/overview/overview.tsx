/** Every survey in a line. */

import type { OverviewReply } from '../../../../shared/contract/overview-schemas.ts';
import { addressOf } from '../session/ask.ts';
import { useAsked } from '../session/use-asked.ts';
import { Problem } from '../shell/notice.tsx';

export function Overview() {
  const { reply, problem, again } = useAsked<OverviewReply>(addressOf('/v1/overview', { limit: '100' }));
  return (
    <>
      <h1>Surveys</h1>
      {problem !== undefined && <Problem words={problem} action={{ words: 'Try again', run: again }} />}
      {reply === undefined ? (
        problem === undefined && <p class="waiting about">Reading…</p>
      ) : (
        <ul class="surveys">
          {reply.surveys.map(({ slug, question, status }) => (
            <li key={slug} class="card">
              <bdi>{question}</bdi> <span class="about">{status}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
