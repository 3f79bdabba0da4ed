import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSealer, SALT_BYTES } from '../../../shared/crypto/show-token-seal.ts';
import { fitMetadata } from '../../../shared/crypto/token-room.ts';

const KEY = { id: '0a1b2c3d', secret: randomBytes(32), activeFrom: 0 };
const SCOPE = { stage: 'prod', projectId: 'a-project' };
const TOKEN_ID = randomBytes(16).toString('hex');

const textOf = (most: number) => fc.nat({ max: most - 1 }).map((length) => 'x'.repeat(length + 1));
const name = fc.nat({ max: 30 }).map((length) => `n${'a'.repeat(length)}`);
const ids = fc.record({
  respondentId: textOf(256),
  sessionId: textOf(256),
  traceId: fc.option(textOf(256), { nil: undefined }),
  observationId: fc.option(textOf(256), { nil: undefined }),
});

it('keeps the task type, then each label that fits, up to the last character', () => {
  fc.assert(
    fc.property(
      ids,
      fc.option(textOf(64), { nil: undefined }),
      fc.dictionary(name, textOf(64), { maxKeys: 4 }),
      fc.boolean(),
      fc.boolean(),
      ({ respondentId, ...session }, taskType, labels, isLink, mayAsk) => {
        const modelRequested = mayAsk ? (true as const) : undefined;
        const grant = { surveyId: 'sv_0123456789abcdef', respondentId, expiresAt: 1, modelRequested };
        const seal = createSealer(KEY, SCOPE, randomBytes(SALT_BYTES), { session, isLink });
        const isWithin = (metadata: object) =>
          seal({ ...grant, tokenId: TOKEN_ID, ...metadata }) !== undefined;
        const place = { grant, session, ...(isLink && { projectId: SCOPE.projectId }) };
        const { metadata, dropped } = fitMetadata(place, { taskType, labels });

        const sent = { ...(taskType !== undefined && { taskType }), labels };
        let kept: { taskType?: string; labels: Record<string, string> } = { labels: {} };
        const left: string[] = [];
        if (sent.taskType !== undefined) {
          if (isWithin({ ...kept, taskType })) kept = { ...kept, taskType: sent.taskType };
          else left.push('taskType');
        }
        for (const [each, value] of Object.entries(labels)) {
          const more = { ...kept, labels: { ...kept.labels, [each]: value } };
          if (isWithin(more)) kept = more;
          else left.push(`labels.${each}`);
        }
        expect({ labels: {}, ...metadata }).toEqual(kept);
        expect(dropped).toEqual(left);
      },
    ),
    { numRuns: 60 },
  );
});
