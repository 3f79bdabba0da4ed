/** What the consumer of the stream asks of DynamoDB for a batch of records. */

import { randomUUID } from 'node:crypto';
import { onChange } from '../functions/on-change.ts';
import { surveys } from '../functions/runtime/compose.ts';
import { MOST_SEGMENTS } from '../shared/domain/surveys/segments.ts';
import { aRecord, aResponseRow, type Image } from '../test/support/fixtures/a-stream.ts';
import type { Row } from './measured.ts';
import { meter } from './meter.ts';
import type { Stage } from './stage.ts';

/** Of a busy deployment; below what one transaction takes. */
const BUSY = 100;

const NAMES = Array.from({ length: MOST_SEGMENTS }, (_, index) => `trait${index}`);

export async function countingRows(stage: Stage): Promise<Row[]> {
  const client = stage.createClient();
  const takeUse = meter(client);
  const service = stage.compose(client);
  const { projectId, surveys: made } = await stage.tenant();
  const [plain, segmented] = made;
  if (plain === undefined || segmented === undefined) throw new Error('the demo has two surveys');
  const segments = NAMES.map((name) => ({ name, values: [{ text: 'a' }] }));
  await surveys(service).write(projectId, { created: [], updated: [{ ...segmented, segments }] });
  const consume = onChange(service);

  const answer = (surveyId: string, more: Image = {}) => {
    const traits = JSON.stringify(Object.fromEntries(NAMES.map((name) => [name, 'a'])));
    return aResponseRow({ projectId, surveyId, tokenId: randomUUID(), traits, ...more });
  };
  const inserted = (surveyId: string, more?: Image) => aRecord(undefined, answer(surveyId, more));
  const rows: Row[] = [];

  async function measure(batch: string, records: ReturnType<typeof aRecord>[]): Promise<void> {
    takeUse();
    await consume({ Records: records });
    const { calls, ...use } = takeUse();
    rows.push({ batch, ...use, 'write units each': use['write units'] / records.length, calls });
  }

  // Settings are read once, and the items of a day are made once.
  await consume({ Records: made.map(({ id }) => inserted(id)) });
  await measure('a response', [inserted(plain.id)]);
  await measure(`a response, ${MOST_SEGMENTS} segments`, [inserted(segmented.id)]);
  await measure('a dismissal', [inserted(plain.id, { type: 'dismissal' })]);
  const erased = answer(plain.id);
  await measure('an erasure', [aRecord(erased, undefined)]);
  await measure('an acknowledged score', [aRecord(erased, { ...erased, scoreState: 'delivered' })]);
  await measure(
    `${BUSY} responses to a survey`,
    Array.from({ length: BUSY }, () => inserted(plain.id)),
  );
  await measure(
    `${BUSY} responses to a survey, ${MOST_SEGMENTS} segments`,
    Array.from({ length: BUSY }, () => inserted(segmented.id)),
  );
  return rows;
}
