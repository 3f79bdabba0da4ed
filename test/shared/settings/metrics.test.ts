import { expect, it } from 'vitest';
import { GATES } from '../../../shared/domain/surveys/eligibility.ts';
import { METRICS } from '../../../shared/settings/metrics.ts';

it('there is a metric for each gate, and for nothing else that is named like one', () => {
  const gated = Object.keys(METRICS).filter((name) => name.startsWith('gated_'));
  expect(gated).toEqual(GATES.map((gate) => `gated_${gate}`));
});
