import { expect, it } from 'vitest';
import { GATES } from '../../../shared/domain/surveys/eligibility.ts';
import { METRICS } from '../../../shared/settings/metrics.ts';

it('has exactly one metric for each gate', () => {
  const gated = Object.keys(METRICS).filter((name) => name.startsWith('gated_'));
  expect(gated).toEqual(GATES.map((gate) => `gated_${gate}`));
});
