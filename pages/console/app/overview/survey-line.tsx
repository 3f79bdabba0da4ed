import type { OverviewReply } from '../../../../shared/contract/overview-schemas.ts';
import { formatCount, formatInterval, formatScore, SCORE_NAMES } from '../../../results/figures.ts';
import { keepsDraft } from '../session/tab.ts';
import { hrefOf } from '../shell/route.ts';
import { Spark } from './spark.tsx';

type Line = OverviewReply['surveys'][number];

/** One survey: its names for those who hear the line stand where others see the heads of columns. */
export function SurveyLine({ survey }: { readonly survey: Line }) {
  const { slug, type, question, status, score, responses, openContacts, trend } = survey;
  return (
    <li class="line">
      <div class="which">
        <a href={hrefOf({ screen: 'survey', slug })}>
          <bdi>{question}</bdi>
        </a>
        <span class="about">
          {slug} · {SCORE_NAMES[type]}
          {keepsDraft(slug) && ' · changes not published'}
        </span>
      </div>
      <div>
        <span class={`status ${status}`}>{status}</span>
      </div>
      <div class="number">
        <span class="head">Score</span>
        {score === null ? (
          <span class="about">No answers</span>
        ) : (
          <>
            <strong>{formatScore(type, score.value)}</strong>
            <span class="about interval">{formatInterval(type, score)}</span>
          </>
        )}
      </div>
      <div class="trend">
        <Spark type={type} trend={trend} />
      </div>
      <div class="number">
        <span class="head">Responses</span>
        <strong>{formatCount(responses)}</strong>
      </div>
      <div class="number">
        <span class="head">To contact</span>
        {openContacts === 0 ? (
          <span class="about">0</span>
        ) : (
          <strong class="waits">{formatCount(openContacts)}</strong>
        )}
      </div>
    </li>
  );
}
