/** Every survey in a line, and what changed lately. */

import { useCallback, useEffect, useState } from 'preact/hooks';
import type { OverviewReply } from '../../../../shared/contract/overview-schemas.ts';
import { formatCount, writeSpan } from '../../../results/figures.ts';
import { type Session, useSession } from '../session/session.tsx';
import { keepsDraft } from '../session/tab.ts';
import { Problem } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';
import { RecentChanges } from './recent-changes.tsx';
import { SurveyLine } from './survey-line.tsx';

/** @throws Refused */
async function readOverview(ask: Session['ask']): Promise<OverviewReply> {
  const read = (cursor?: string) => ask<OverviewReply>('/v1/overview', { query: { limit: '100', cursor } });
  let page = await read();
  const surveys = [...page.surveys];
  while (page.nextCursor !== undefined) {
    page = await read(page.nextCursor);
    surveys.push(...page.surveys);
  }
  return { ...page, surveys };
}

type Surveys = OverviewReply['surveys'];

function Lines({ surveys, label }: { readonly surveys: Surveys; readonly label: string }) {
  return (
    <div class="card lines">
      <div class="line heads about" aria-hidden="true">
        <span>{label}</span>
        <span>Status</span>
        <span>Score, 95% interval</span>
        <span>By week</span>
        <span>Responses</span>
        <span>To contact</span>
      </div>
      <ul>
        {surveys.map((survey) => (
          <SurveyLine key={survey.id} survey={survey} />
        ))}
      </ul>
    </div>
  );
}

function None({ mayEdit }: { readonly mayEdit: boolean }) {
  return (
    <section class="card empty">
      <h2>No surveys yet</h2>
      <p>A survey asks one question. You choose who sees it, and how often.</p>
      {mayEdit && (
        <a class="button main" href={hrefOf({ screen: 'new' })}>
          Create your first survey
        </a>
      )}
    </section>
  );
}

function Shown({ overview, mayEdit }: { readonly overview: OverviewReply; readonly mayEdit: boolean }) {
  const { surveys } = overview;
  const current = surveys.filter(({ status }) => status !== 'archived');
  const archived = surveys.filter(({ status }) => status === 'archived');
  if (surveys.length === 0) return <None mayEdit={mayEdit} />;
  return (
    <>
      {current.length > 0 && <Lines surveys={current} label="Survey" />}
      {archived.length > 0 && (
        <details class="archived">
          <summary>Archived ({formatCount(archived.length)})</summary>
          <Lines surveys={archived} label="Archived survey" />
        </details>
      )}
      <RecentChanges surveys={surveys} />
    </>
  );
}

export function Overview() {
  const { ask, mayEdit } = useSession();
  const [overview, setOverview] = useState<OverviewReply>();
  const [problem, setProblem] = useState<string>();
  const read = useCallback(() => {
    setProblem(undefined);
    readOverview(ask).then(setOverview, (error: Error) => setProblem(error.message));
  }, [ask]);
  useEffect(read, [read]);
  return (
    <>
      <header class="screen-top">
        <div>
          <h1>Surveys</h1>
          {overview !== undefined && (
            <p class="about">
              Scores and responses of {writeSpan(overview)} (UTC)
              {overview.smallestCell !== undefined &&
                `; fewer than ${overview.smallestCell} answers are not shown alone`}
            </p>
          )}
        </div>
        {mayEdit && (
          <div class="actions">
            <a class="button" href={hrefOf({ screen: 'order' })}>
              Change order
            </a>
            <a class="button main" href={hrefOf({ screen: 'new' })}>
              New survey
            </a>
          </div>
        )}
      </header>
      {problem !== undefined && <Problem words={problem} action={{ words: 'Try again', run: read }} />}
      {mayEdit && keepsDraft('') && (
        <p class="kept-new">
          You started a new survey in this tab. <a href={hrefOf({ screen: 'new' })}>Continue editing</a>
        </p>
      )}
      {overview !== undefined && <Shown overview={overview} mayEdit={mayEdit} />}
      {overview === undefined && problem === undefined && (
        <p class="waiting about" role="status">
          Loading surveys
        </p>
      )}
    </>
  );
}
