import type { CommentsReply } from '../../../shared/contract/results-schemas.ts';
import { html } from '../../html.ts';
import { comment, facts, reasonsOf, whom } from '../comment.ts';
import { formatCount } from '../figures.ts';
import { askOfPeople } from './ask.ts';
import { reasonsOffered } from './controls.ts';
import { find } from './dom.ts';
import { filtersAsked, kindsOf, type Looked } from './list-filters.ts';
import { PagedList } from './paged-list.ts';

const comments = new PagedList('comment', 'more');
const commentCount = find('comments-count', HTMLElement);
const sought = find('find', HTMLInputElement);

let printComments = (): void => undefined;

export async function showComments(looked: Looked, isMore: boolean): Promise<void> {
  const { asker, results, of } = looked;
  const { survey, from, to } = results;
  const reasons = reasonsOffered(of, results);
  const query = { surveyId: survey.id, from, to, ...filtersAsked(looked) };
  const read = async (limit: number, cursor: string | undefined) => {
    const asked = { ...query, limit: String(limit), cursor };
    const reply = await askOfPeople<CommentsReply>(asker, '/v1/results/comments', asked);
    const items = reply.comments.map((each) =>
      comment(
        survey.type,
        each,
        html`${reasonsOf(each, { reasons })}${whom(each, html`Contact: `)}`,
        facts(each, of, looked.asked),
      ),
    );
    return { items, nextCursor: reply.nextCursor };
  };
  const nothing = 'No matching comments in this period.';
  if (!(await comments.fill(isMore, read, nothing))) return;
  const { part, named } = kindsOf(looked);
  const kinds = [part?.name, named?.label];
  const isEvery = kinds.every((kind) => kind === undefined);
  commentCount.textContent = isEvery && results.comments ? formatCount(results.comments) : '';
  printComments = () =>
    comments.print(isEvery && sought.value === '' ? results.comments : null, kinds, 'newest');
  printComments();
}

sought.addEventListener('input', () => {
  comments.find(sought.value);
  printComments();
});

export const hideComments = (): void => comments.hide();
