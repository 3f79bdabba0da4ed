import { describe, expect, it, onTestFinished } from 'vitest';
import { createPostSigner } from '../../../../shared/data/aws/aws-call.ts';
import { createOtlpDestination, type OtlpOptions } from '../../../../shared/delivery/destinations/otlp.ts';
import { aScore } from '../../../support/fixtures/builders.ts';
import { START } from '../../../support/service/test-clock.ts';
import { type OtlpFault, said, startOtlpStandIn } from '../../../support/stand-ins/otlp-stand-in.ts';

const TRACE = '5b8efff798038103d269b633813fc60c';
const SPAN = 'eee19b7ec3c1b174';
const DELIVERY = { timeoutMs: 500 };

async function standIn(fault?: OtlpFault, options: Partial<OtlpOptions> = {}) {
  const otlp = await startOtlpStandIn(() => fault);
  onTestFinished(() => otlp.stop());
  const destination = createOtlpDestination({ url: otlp.url, now: () => START, ...options });
  return { otlp, destination };
}

describe('a score sent to OpenTelemetry', () => {
  it('is an evaluation result with value, label and explanation, under its trace and span', async () => {
    const { otlp, destination } = await standIn();
    const score = aScore({ traceId: TRACE.toUpperCase(), observationId: SPAN });
    expect(await destination.deliver(score, DELIVERY)).toEqual({ kind: 'delivered' });
    const [record] = otlp.records;
    expect(record).toMatchObject({
      eventName: 'gen_ai.evaluation.result',
      traceId: TRACE,
      spanId: SPAN,
      timeUnixNano: `${Date.parse(score.at)}000000`,
    });
    const names = ['name', 'score.value', 'score.label', 'explanation'];
    expect(names.map((name) => record && said(record, `gen_ai.evaluation.${name}`))).toEqual([
      'canvass.csat',
      4,
      'satisfied',
      'fine',
    ]);
    expect(record && said(record, 'session.id')).toBe('s-1');
    // The receiver must not learn the respondent.
    expect(JSON.stringify(record)).not.toContain('ann');
  });

  it.each([
    ['a UUID', '5b8efff7-9803-8103-d269-b633813fc60c', SPAN, TRACE, SPAN],
    ['no id of OpenTelemetry’s', 'trace-1', SPAN, undefined, undefined],
    ['all zero', '0'.repeat(32), SPAN, undefined, undefined],
    ['a span that is none', TRACE, 'o-1', TRACE, undefined],
    ['no trace', null, SPAN, undefined, undefined],
  ])(
    'has an attribute instead of an id that is not valid in OpenTelemetry: %s',
    async (_what, traceId, observationId, trace, span) => {
      const { otlp, destination } = await standIn();
      const score = aScore({ traceId, observationId });
      expect(await destination.deliver(score, DELIVERY)).toEqual({ kind: 'delivered' });
      const [record] = otlp.records;
      expect([record?.traceId, record?.spanId]).toEqual([trace, span]);
      const ids = [
        record && said(record, 'canvass.trace.id'),
        record && said(record, 'canvass.observation.id'),
      ];
      expect(ids).toEqual([
        trace === undefined ? (traceId ?? undefined) : undefined,
        span === undefined ? observationId : undefined,
      ]);
    },
  );

  it('lists the codes of its reasons', async () => {
    const { otlp, destination } = await standIn();
    await destination.deliver(aScore({ reasons: ['slow', 'wrong'] }), DELIVERY);
    await destination.deliver(aScore(), DELIVERY);
    const told = otlp.records.map((record) => said(record, 'canvass.reasons'));
    expect(told).toEqual([['slow', 'wrong'], undefined]);
  });

  it('has an attribute for each answer that was not skipped', async () => {
    const { otlp, destination } = await standIn();
    const answers = { use: ['reports', 'alerts'], role: 'dev', revision: 3, other: null };
    await destination.deliver(aScore({ answers }), DELIVERY);
    await destination.deliver(aScore(), DELIVERY);
    const told = otlp.records.map((record) =>
      Object.keys(answers).map((id) => said(record, `canvass.answer.${id}`)),
    );
    expect(told).toEqual([[['reports', 'alerts'], 'dev', 3, undefined], Array(4).fill(undefined)]);
  });

  it('has the code of a choice as its label, and no value or scale', async () => {
    const { otlp, destination } = await standIn();
    const scale = { min: 0, max: 4 };
    await destination.deliver(aScore({ surveyType: 'choice', choice: 'price', rating: 2, scale }), DELIVERY);
    const [record] = otlp.records;
    expect(JSON.stringify(record)).not.toMatch(/score\.value|scale|normalized/);
    expect(record && said(record, 'gen_ai.evaluation.score.label')).toBe('price');
  });

  it('has an attribute for each label, and one for the channel', async () => {
    const { otlp, destination } = await standIn();
    await destination.deliver(aScore({ labels: { model: 'large-2', arm: 'b' }, channel: 'slack' }), DELIVERY);
    const keys = ['canvass.label.model', 'canvass.label.arm', 'canvass.channel'];
    expect(otlp.records.map((record) => keys.map((key) => said(record, key)))).toEqual([
      ['large-2', 'b', 'slack'],
    ]);
  });

  it('omits the text when configured', async () => {
    const { otlp, destination } = await standIn(undefined, { includeText: false, name: 'x.{slug}' });
    await destination.deliver(aScore(), DELIVERY);
    expect(JSON.stringify(otlp.records)).not.toContain('fine');
    expect(otlp.records.map((record) => said(record, 'gen_ai.evaluation.name'))).toEqual(['x.checkout']);
  });

  it('is a further record after a change, and has no value after a withdrawal', async () => {
    const { otlp, destination } = await standIn();
    const revisedAt = '2026-11-21T00:00:00.000Z';
    await destination.deliver({ ...aScore(), rating: 1, revision: 2, revisedAt }, DELIVERY);
    await destination.withdraw({ id: 'response-1', revision: 3 }, DELIVERY);
    await destination.withdraw({ id: 'response-1' }, DELIVERY);
    const keys = [
      'canvass.score.id',
      'canvass.revision',
      'canvass.withdrawn',
      'gen_ai.evaluation.score.value',
    ];
    expect(otlp.records.map((record) => keys.map((key) => said(record, key)))).toEqual([
      ['response-1', 2, undefined, 1],
      ['response-1', 3, true, undefined],
      ['response-1', undefined, true, undefined],
    ]);
    expect(otlp.records[0]?.timeUnixNano).toBe(`${Date.parse(revisedAt)}000000`);
    expect(destination.deletes).toBe(false);
  });
});

describe('a delivery to OpenTelemetry', () => {
  it('is rejected if the receiver accepts the request but not the record', async () => {
    const { destination } = await standIn('partial');
    const reason = expect.stringContaining('tooOldLogEventCount');
    expect(await destination.deliver(aScore(), DELIVERY)).toEqual({ kind: 'reject', reason });
  });

  it('succeeds with the longest score', async () => {
    const { destination } = await standIn();
    const id = '€'.repeat(85);
    const score = aScore({ text: '€'.repeat(5_000), traceId: id, sessionId: id, observationId: id });
    expect(await destination.deliver(score, DELIVERY)).toEqual({ kind: 'delivered' });
  });
});

it('signs with the caller’s role when configured', async () => {
  const sign = createPostSigner('logs', 'eu-central-1', () => START);
  const headers = { 'x-aws-log-group': 'ratings', 'x-aws-log-stream': 'canvass' };
  const { otlp, destination } = await standIn(undefined, { headers, sign });
  expect(await destination.deliver(aScore(), DELIVERY)).toEqual({ kind: 'delivered' });
  expect(otlp.headers()).toMatchObject({
    ...headers,
    authorization: expect.stringMatching(
      /^AWS4-HMAC-SHA256 Credential=\S*\/20261120\/eu-central-1\/logs\/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date;x-aws-log-group;x-aws-log-stream, Signature=[0-9a-f]{64}$/,
    ),
  });
});
