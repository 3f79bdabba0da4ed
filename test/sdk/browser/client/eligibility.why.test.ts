import fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addTrait, checkClientRules } from '../../../../bin/admin/survey/why.ts';
import { mount } from '../../../../sdk/browser/client/conditions.ts';
import { createEligibility, type Eligibility } from '../../../../sdk/browser/client/eligibility.ts';
import { createStorage } from '../../../../sdk/browser/client/storage.ts';
import type { TargetingRule } from '../../../../sdk/browser/client/survey.ts';
import { aSurvey as aStoredSurvey } from '../../../support/fixtures/builders.ts';
import { aSurvey } from '../support/a-survey.ts';

const BINDING = { surveyId: 'sv_1', showToken: 'token', sessionId: 'session' };
const NO_PAGE = { signal: new AbortController().signal };
const OPERATORS = ['eq', 'neq', 'in', 'gt', 'lt', 'gte', 'lte', 'exists'] as const;

const name = fc.constantFrom('plan', 'seats', 'constructor', '__proto__', 'Zoë');
const scalar = fc.oneof(
  fc.constantFrom('pro', '5', '2026-01-01', '', 5, -1.5, 0, true, false),
  fc.string({ maxLength: 3 }),
  fc.integer({ min: -9, max: 9 }),
);
const rule: fc.Arbitrary<TargetingRule> = fc.record(
  {
    trait: name,
    op: fc.constantFrom(...OPERATORS),
    value: fc.oneof(scalar, fc.array(scalar, { maxLength: 3 })),
  },
  { requiredKeys: ['trait', 'op'] },
);
const asked = fc.record({
  id: fc.string({ minLength: 1, maxLength: 8 }),
  respondent: fc.string({ minLength: 1, maxLength: 8 }),
  rules: fc.array(rule, { maxLength: 3 }),
  given: fc.dictionary(name, fc.option(scalar), { maxKeys: 3, noNullPrototype: true }),
  samplePercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined }),
});

it('gives the same verdict and reason for any rules, traits, sample and person', async () => {
  vi.stubGlobal('window', { navigation: {} });
  onTestFinished(() => void vi.unstubAllGlobals());
  const seen = new Set<string | undefined>();
  await fc.assert(
    fc.asyncProperty(asked, async ({ id, respondent, rules, given, samplePercent }) => {
      const targets = { targeting: rules, ...(samplePercent !== undefined && { samplePercent }) };
      const person = { name: respondent, traits: given, id: () => respondent };
      const meant = aSurvey({ id, ...targets });
      const post = async () => ({ status: 200, data: { surveys: [meant] } });
      const storage = createStorage('canvass', false);
      const eligibility: Eligibility = createEligibility(
        'key',
        person,
        storage,
        async () => {},
        post,
        async () =>
          mount(
            { ...NO_PAGE, eligibility, person, visit: storage },
            () => () => undefined,
            () => undefined,
          ),
      );
      await eligibility.fetch();
      const reason = eligibility.refusal(meant, BINDING);
      seen.add(reason);

      const traits = Object.entries(given).reduce(
        (all, [trait, value]) => addTrait(`${trait}=${JSON.stringify(value)}`, all),
        addTrait('other=1'),
      );
      const stored = aStoredSurvey({ id });
      const survey = { ...stored, content: { ...stored.content, ...targets } };
      const [targeting, sample] = checkClientRules(survey, respondent, traits);
      expect(
        targeting?.passed === false ? 'targeting' : sample?.passed === false ? 'sampled-out' : undefined,
      ).toBe(reason);
    }),
    { numRuns: 300 },
  );
  expect(seen).toEqual(new Set([undefined, 'targeting', 'sampled-out']));
});

it.each([
  ['plan=pro', 'pro'],
  ['plan=', ''],
  ['plan=a=b', 'a=b'],
  ['plan=5', 5],
  ['plan="5"', '5'],
  ['plan=007', '007'],
  ['plan=true', true],
  ['plan=null', null],
  ['plan=[1]', '[1]'],
  ['plan=2026-01-01', '2026-01-01'],
])('parses --trait %s', (flag, value) => {
  expect(addTrait(flag)).toEqual({ plan: value });
});
