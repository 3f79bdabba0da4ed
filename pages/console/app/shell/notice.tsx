import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import { STATUS_WORDS } from '../../rules/field-words.ts';
import { hrefOf } from './route.ts';

interface ProblemProps {
  readonly words: string;
  readonly action?: { readonly words: string; readonly run: () => void };
}

export function Problem({ words, action }: ProblemProps) {
  return (
    <div class="problem card" role="alert">
      <p>{words}</p>
      {action !== undefined && (
        <button type="button" onClick={action.run}>
          {action.words}
        </button>
      )}
    </div>
  );
}

export function Waiting({ words = 'Loading…' }: { readonly words?: string }) {
  return (
    <p class="waiting about" role="status">
      {words}
    </p>
  );
}

export const Status = ({ of }: { readonly of: SurveyStatus }) => (
  <span class={`status ${of}`}>{STATUS_WORDS[of]}</span>
);

export function Unknown() {
  return (
    <section class="card empty">
      <h1>Page not found</h1>
      <p>The console has no page at this address.</p>
      <a class="button" href={hrefOf({ screen: 'overview' })}>
        See all surveys
      </a>
    </section>
  );
}
