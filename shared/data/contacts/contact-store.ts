import { locateResponse } from '../../crypto/ids.ts';
import type { Response } from '../../domain/answers/answer.ts';
import { asksForContact, isHandledSo } from '../../domain/answers/contact.ts';
import type { IsGoneAnswer } from '../../domain/gone-answers.ts';
import { readAnswer } from '../answers/answer-item.ts';
import { all, type Condition, equalTo } from '../table/expressions.ts';
import type { Row } from '../table/row.ts';
import { answerKey, contactShardEntry, shardOf } from '../table/schema.ts';
import type { PersonDependencies } from '../table/table.ts';

export interface Handling {
  readonly projectId: string;
  readonly id: string;
  readonly handled: boolean;
  /** Undefined keeps the current note; an empty text removes it. */
  readonly note?: string | undefined;
  readonly by: string;
  readonly at: string;
}

const ASKS: Condition = {
  text: '#type = :response AND #followUpRequested = :yes AND attribute_not_exists(#withdrawn)',
  values: { response: 'response', yes: true },
};

/** An attempt fails only if another writer changes the row. */
const MOST_ATTEMPTS = 20;

export function createContactStore({ table, secrets, shards }: PersonDependencies) {
  function changeOf({ projectId, handled, note, by, at }: Handling, response: Response) {
    const { revision } = response;
    const shard = shardOf(response.tokenId, shards);
    const entry = contactShardEntry(projectId, handled ? 'handled' : 'open', shard, response);
    if (!handled) return { set: entry, remove: ['handled'] };
    const isNoted = note !== undefined && note !== '';
    return { set: { ...entry, handled: { at, by, ...(isNoted && { note }), revision } } };
  }

  const isSo = ({ handled, note }: Handling, { handled: standing }: Response): boolean =>
    handled ? standing !== undefined && isHandledSo(standing, note) : standing === undefined;

  return {
    /** @returns false unless a current response asks to be contacted */
    async handle(handling: Handling, isGone: IsGoneAnswer): Promise<boolean> {
      const { projectId, id } = handling;
      const location = locateResponse(await secrets.hashSecret(), projectId, id);
      if (location === undefined) return false;
      const key = answerKey(projectId, location.respondentHash, location.tokenId);
      const { rows } = await table.page({ partition: key.pk, from: key.sk, to: key.sk });
      let row: Row | undefined = rows[0];
      for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
        const answer = row && readAnswer(row);
        if (row === undefined || !asksForContact(answer)) return false;
        if (isGone(answer.surveyId, answer.at)) return false;
        if (isSo(handling, answer)) return true;
        const { revision, handled } = row;
        const asIs = all(ASKS, equalTo({ revision, handled }));
        const written = await table.update(key, changeOf(handling, answer), asIs);
        if (written.done) return true;
        row = written.found;
      }
      throw new Error('the row kept changing while it was updated');
    },
  };
}
