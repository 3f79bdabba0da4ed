/** What publishing would do, asked before it is done. */

import type { SurveyStatus } from '../../../../shared/domain/surveys/survey.ts';
import { describeAudience } from '../../rules/audience.ts';
import type { ChangeWords } from '../../rules/change-words.ts';
import type { Review } from '../../rules/draft-machine.ts';
import { Dialog } from './dialog.tsx';

function Change({ name, before, after }: ChangeWords) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {before !== undefined && (
          <del>
            <bdi>{before}</bdi>
          </del>
        )}
        {before !== undefined && after !== undefined && <span aria-hidden="true">→</span>}
        {after === undefined ? (
          <span class="about">removed</span>
        ) : (
          <ins>
            <bdi>{after}</bdi>
          </ins>
        )}
      </dd>
    </div>
  );
}

/** What becomes of it, as the button says. */
function verbFor(base: SurveyStatus | undefined, status: SurveyStatus): string {
  if (status === 'active') return base === 'active' ? 'Publish changes' : 'Publish';
  if (status === base) return 'Save changes';
  if (status === 'paused') return 'Pause';
  return status === 'archived' ? 'Archive' : 'Save draft';
}

interface ReviewProps {
  readonly review: Review;
  readonly isStoring: boolean;
  readonly problem: string | undefined;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ReviewDialog({ review, isStoring, problem, onConfirm, onClose }: ReviewProps) {
  const { target, draft, changes, warnings } = review;
  const verb = verbFor(draft.base?.status, target.status);
  return (
    <Dialog title={`${verb}: ${target.slug}`} onClose={() => isStoring || onClose()}>
      {target.status === 'active' && changes.length > 0 && (
        <div class="asked">
          <p class="about">Audience, within 30 seconds</p>
          <p>{describeAudience(target).sentence}</p>
        </div>
      )}
      {warnings.length > 0 && (
        <ul class="warnings" aria-label="Warnings">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {changes.length === 0 ? (
        <p>Nothing changes.</p>
      ) : (
        <dl class="changes">
          {changes.map((each) => (
            <Change key={each.field} {...each} />
          ))}
        </dl>
      )}
      <footer>
        {problem !== undefined && (
          <p class="wrong" role="alert">
            {problem} Your changes are kept in this tab.
          </p>
        )}
        <button type="button" disabled={isStoring} onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="main" disabled={isStoring} onClick={onConfirm}>
          {isStoring ? 'Saving' : verb}
        </button>
      </footer>
    </Dialog>
  );
}
