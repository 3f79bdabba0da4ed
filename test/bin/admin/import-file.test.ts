import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importFile } from '../../../bin/admin/import/import-file.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

it('an import that is held up within a batch looks again whether its project is being purged', async () => {
  const file = join(temporaryFolder(), 'answers.csv');
  const lines = Array.from({ length: 100 }, (_, index) => `person-${index},5`);
  writeFileSync(file, ['respondent_id,rating', ...lines].join('\n'));
  const clock = createTestClock();
  let isThere = true;
  const stored: string[] = [];
  const importing = importFile({
    file,
    surveyType: 'csat',
    columns: {},
    now: clock.now,
    async store({ respondentId = '' }) {
      stored.push(respondentId);
      if (isThere) {
        isThere = false;
        clock.advance(60 * SECOND);
      }
      return 'imported';
    },
    async assertNotPurged() {
      if (!isThere) throw new Error('is being purged');
    },
    onProgress: () => undefined,
  });
  await expect(importing).rejects.toThrow('is being purged');
  // Those under way at the same moment, no more.
  expect(stored.length).toBeLessThanOrEqual(25);
});
