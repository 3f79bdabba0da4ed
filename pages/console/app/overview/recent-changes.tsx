/** Which surveys changed lately, where, and by whom. */

import { useEffect, useState } from 'preact/hooks';
import type { OverviewReply } from '../../../../shared/contract/overview-schemas.ts';
import { timeWords } from '../../rules/field-words.ts';
import { type Definitions, readDefinitions } from '../editor/definitions.ts';
import { useSession } from '../session/session.tsx';
import { hrefOf } from '../shell/route.ts';

const MOST = 6;

const WHERE = { apply: 'in the survey file', console: 'in the console' } as const;

interface Change {
  readonly slug: string;
  readonly at: string;
  readonly where: string;
  readonly by: string | null;
}

const changesIn = ({ lastChanges }: Definitions): readonly Change[] =>
  Object.entries(lastChanges)
    .flatMap(([slug, { source, changedAt, changedBy }]) =>
      changedAt === null ? [] : [{ slug, at: changedAt, where: WHERE[source], by: changedBy }],
    )
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST);

/** Nothing where nobody wrote down who changed what, or it cannot be read: the lines above do not need it. */
export function RecentChanges({ surveys }: { readonly surveys: OverviewReply['surveys'] }) {
  const { ask } = useSession();
  const [changes, setChanges] = useState<readonly Change[]>([]);
  useEffect(() => {
    let isOver = false;
    readDefinitions(ask).then(
      (definitions) => !isOver && setChanges(changesIn(definitions)),
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [ask]);
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
              {where}
              {by !== null && (
                <>
                  {' '}
                  by {by.includes('@') ? '' : 'key '}
                  <bdi>{by}</bdi>
                </>
              )}
              {', '}
              <time dateTime={at}>{timeWords(at)}</time>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
