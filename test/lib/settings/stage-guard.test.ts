import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { markdownAnchors } from '../../support/markdown.ts';
import { EVERYTHING } from '../../support/stack/stages.ts';
import { aTemplate } from '../../support/stack/synthesised-stack.ts';

const ARN = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:H-abc-AbCdEf';
const STREAM = 'arn:aws:dynamodb:eu-west-1:123456789012:table/t/stream/2026-11-21T10:00:00.000';

const guarded = (settings: object) => {
  const { Parameters, Rules } = aTemplate(settings).toJSON();
  const [{ Assert, AssertDescription }] = Rules.DataIsMeant.Assertions;
  return { remembered: Parameters.Data.Default, asserted: Assert, said: AssertDescription };
};

describe("the record of a stage's data", () => {
  it.each([
    ['its own', {}, 'own'],
    ['a restored table', { tableStreamArn: STREAM }, 'tableStreamArn'],
    ['two of what there was', { tableStreamArn: STREAM, hashSecretArn: ARN }, 'hashSecretArn+tableStreamArn'],
    ['its own, under another key', { kmsKeyArns: [] }, 'own'],
  ])('is kept in a parameter: %s', (_what, existing, value) => {
    const { remembered, asserted, said } = guarded(Object.keys(existing).length === 0 ? {} : { existing });
    expect(remembered).toBe(value);
    expect(asserted).toEqual({ 'Fn::Equals': [{ Ref: 'Data' }, value] });
    expect(said).toContain(`--parameters canvass-test:Data=${value};`);
  });

  it.each([
    ['on', { edge: EVERYTHING.edge }],
    ['off', {}],
  ])('includes whether the edge is %s', (value, settings) => {
    const { Parameters, Rules } = aTemplate(settings).toJSON();
    expect(Parameters.Edge.Default).toBe(value);
    const [{ Assert, AssertDescription }] = Rules.EdgeIsMeant.Assertions;
    expect(Assert).toEqual({ 'Fn::Equals': [{ Ref: 'Edge' }, value] });
    expect(AssertDescription).toContain(`--parameters canvass-test:Edge=${value};`);
  });

  it('has a message that names an existing section', () => {
    const anchors = markdownAnchors(readFileSync('docs/operations.md', 'utf8'));
    const { Rules } = aTemplate().toJSON();
    for (const { Assertions } of Object.values<{ Assertions: { AssertDescription: string }[] }>(Rules)) {
      const [, section = ''] = Assertions[0]?.AssertDescription.match(/see "([^"]+)"/) ?? [];
      if (section !== '') expect(anchors).toContain(section.toLowerCase().replaceAll(' ', '-'));
    }
  });
});
