import type { OverviewReply } from '../../../../shared/contract/overview-schemas.ts';
import { formatCount, writeSpan } from '../../../results/figures.ts';
import { personWords, timeWords } from '../../rules/field-words.ts';
import { type Ask, readDefinitions, readPages } from '../session/ask.ts';
import { useReply, useSession } from '../session/session.tsx';
import { keepsDraft } from '../session/tab.ts';
import { Problem, Waiting } from '../shell/notice.tsx';
import { hrefOf } from '../shell/route.ts';
import { SurveyLine } from './survey-line.tsx';

async function readOverview(ask: Ask): Promise<OverviewReply> {
  const pages = await readPages<OverviewReply>(ask, '/v1/overview');
  return { ...pages[0], surveys: pages.flatMap(({ surveys }) => surveys) };
}

const CHANGES_SHOWN = 6;
const WHERE = { apply: 'in the survey file', console: 'in the console' } as const;

async function readChanges(ask: Ask) {
  const { lastChanges } = await readDefinitions(ask);
  return Object.entries(lastChanges)
    .flatMap(([slug, { source, changedAt: at, changedBy: by }]) =>
      at === null ? [] : [{ slug, at, by, where: WHERE[source] }],
    )
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, CHANGES_SHOWN);
}

type Surveys = OverviewReply['surveys'];

function Lines({ surveys, label }: { readonly surveys: Surveys; readonly label: string }) {
  return (
    <div class="card lines">
      <div class="line heads about" aria-hidden="true">
        <span>{label}</span>
        <span>Status</span>
        <span>Score (95% interval)</span>
        <span>Weekly trend</span>
        <span>Responses</span>
        <span>Open contact requests</span>
      </div>
      <ul>
        {surveys.map((survey) => (
          <SurveyLine key={survey.id} survey={survey} />
        ))}
      </ul>
    </div>
  );
}

function NoSurveys({ mayEdit }: { readonly mayEdit: boolean }) {
  return (
    <section class="card empty">
      <h2>No surveys yet</h2>
      <p>A survey asks one question. You choose who is asked, and how often.</p>
      {mayEdit && (
        <a class="button main" href={hrefOf({ screen: 'new' })}>
          Create your first survey
        </a>
      )}
    </section>
  );
}

/** Failed reads are not shown. */
function RecentChanges({ surveys }: { readonly surveys: Surveys }) {
  const { reply: changes = [] } = useReply(readChanges);
  if (changes.length === 0) return null;
  const questionOf = (slug: string) => surveys.find((survey) => survey.slug === slug)?.question ?? slug;
  return (
    <section class="card changes" aria-labelledby="changes-title">
      <h2 id="changes-title">Recent changes</h2>
      <ul>
        {changes.map(({ slug, at, where, by }) => (
          <li key={slug}>
            <a href={hrefOf({ screen: 'survey', slug })}>
              <bdi>{questionOf(slug)}</bdi>
            </a>
            <span class="about">
              Changed {where}
              {by !== null && (
                <>
                  {' '}
                  by <bdi>{personWords(by)}</bdi>
                </>
              )}
              , <time dateTime={at}>{timeWords(at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Shown({ overview, mayEdit }: { readonly overview: OverviewReply; readonly mayEdit: boolean }) {
  const { surveys } = overview;
  const current = surveys.filter(({ status }) => status !== 'archived');
  const archived = surveys.filter(({ status }) => status === 'archived');
  if (surveys.length === 0) return <NoSurveys mayEdit={mayEdit} />;
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
  const { mayEdit } = useSession();
  const { reply: overview, problem, again } = useReply(readOverview);
  return (
    <>
      <header class="screen-top">
        <div>
          <h1>Surveys</h1>
          {overview !== undefined && (
            <p class="about">
              Scores and responses are from {writeSpan(overview)} (UTC).
              {overview.smallestCell !== undefined &&
                ` Groups of fewer than ${overview.smallestCell} responses are combined or hidden, and their contact requests are not counted. A person who responds several times counts as several responses.`}
            </p>
          )}
        </div>
        {/* The sentence beside them would move them under the finger. */}
        {mayEdit && (overview !== undefined || problem !== undefined) && (
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
      {problem !== undefined && <Problem words={problem} action={{ words: 'Try again', run: again }} />}
      {mayEdit && keepsDraft('') && (
        <p class="kept-new">
          You started a new survey in this tab. <a href={hrefOf({ screen: 'new' })}>Continue editing</a>
        </p>
      )}
      {overview !== undefined && <Shown overview={overview} mayEdit={mayEdit} />}
      {overview === undefined && problem === undefined && <Waiting />}
    </>
  );
}
