import { describe, expect, it } from 'vitest';
import { onChange } from '../../../functions/on-change.ts';
import { compose } from '../../../functions/runtime/compose.ts';
import { createLogger } from '../../../functions/runtime/logger.ts';
import { TABLE } from '../../../shared/data/table/schema.ts';
import { aRecord, aResponseRow, type Image } from '../../support/fixtures/a-stream.ts';
import { testConfig } from '../../support/service/test-service.ts';
import { createTestTable } from '../../support/service/test-table.ts';

const SHARD = TABLE.indexes.byScoreState.partitionKey;

const pending = (more: Image = {}) =>
  aResponseRow({ projectId: 'p1', surveyId: 's', scoreState: 'pending', [SHARD]: 'PENDING#p1#0', ...more });

describe('waking the score adapter', () => {
  async function deliver(
    changes: readonly (readonly [Image | undefined, Image | undefined])[],
    wake: (wake: Readonly<Record<string, number>>) => Promise<void>,
  ): Promise<string[]> {
    const lines: string[] = [];
    const table = await createTestTable();
    const scoreWaker = { wake };
    const log = createLogger((line) => lines.push(line));
    const service = compose(testConfig(table), { client: table.client, log, scoreWaker });
    await onChange(service)({ Records: changes.map(([before, after]) => aRecord(before, after)) });
    return lines;
  }

  it('happens once a batch, for the projects and numbers of newly pending scores', async () => {
    const woken: unknown[] = [];
    const row = pending();
    await deliver(
      [
        [undefined, pending()],
        [undefined, pending()],
        [undefined, pending({ projectId: 'p2' })],
        [
          { ...row, scoreState: 'delivered', [SHARD]: undefined },
          { ...row, revision: 1 },
        ],
        [
          { ...row, revision: 1 },
          { ...row, revision: 2 },
        ],
      ],
      async (wake) => void woken.push(wake),
    );
    expect(woken).toEqual([{ p1: 4, p2: 1 }]);
  });

  it('does not happen for acknowledgements, unlinked answers, dismissals or erasures', async () => {
    const row = pending();
    await deliver(
      [
        [row, { ...row, scoreState: 'delivered', [SHARD]: undefined }],
        [row, { ...row, scoreState: 'failed' }],
        [row, { ...row, revision: 1, withdrawn: true, [SHARD]: undefined }],
        [row, { ...row, lastError: 'x' }],
        [undefined, pending({ scoreState: undefined })],
        [undefined, pending({ type: 'dismissal' })],
        [row, undefined],
        [row, { ...row, type: 'tombstone' }],
      ],
      () => Promise.reject(new Error('nobody is to be woken')),
    ).then((lines) => expect(lines).toEqual([]));
  });

  it('only logs a failure, so that counting continues', async () => {
    const lines = await deliver([[undefined, pending()]], () => Promise.reject(new Error('throttled')));
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'error', message: 'failed to wake the score adapter' },
    ]);
  });
});
