/** The screen on which a survey is made or changed. */

import { Problem } from '../shell/notice.tsx';
import { Unknown } from '../shell/unknown.tsx';
import { EditSurvey } from './edit-survey.tsx';
import { useBeginning } from './use-beginning.ts';

/** @param slug empty of a new survey */
export function Editor({ slug }: { readonly slug: string }) {
  const begun = useBeginning(slug);
  if (begun.beginning === undefined)
    return begun.problem === undefined ? (
      <p class="waiting about">Reading…</p>
    ) : (
      <Problem words={begun.problem} action={{ words: 'Try again', run: begun.again }} />
    );
  if (begun.beginning === 'unknown') return <Unknown />;
  return <EditSurvey slug={slug} {...begun.beginning} />;
}
