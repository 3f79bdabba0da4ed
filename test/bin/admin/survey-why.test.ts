import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timeText } from '../../../bin/admin/terminal.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { mintTokens } from '../../../functions/mint-tokens.ts';
import { submitResponse } from '../../../functions/submit-response.ts';
import { projectTotalKey, surveyTotalKey } from '../../../shared/data/table/schema.ts';
import { DAY } from '../../../shared/domain/duration.ts';
import { GATES } from '../../../shared/domain/surveys/eligibility.ts';
import type { Repeat } from '../../../shared/domain/surveys/repeat.ts';
import { stickyHash } from '../../../shared/domain/surveys/sticky-hash.ts';
import type { TargetingRule } from '../../../shared/domain/surveys/survey.ts';
import { createAdminCli, failed } from '../../support/admin-cli.ts';
import { dismiss, respond } from '../../support/fixtures/answered.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { seedShows } from '../../support/fixtures/shown.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';

const service = await createTestService();
const admin = createAdminCli(service);

const slugOf = (tenant: Tenant, index = 0): string => tenant.surveys[index]?.content.slug ?? '';
const why = (tenant: Tenant, respondent: string, index = 0, ...flags: string[]) => {
  const of = ['--project', tenant.project.id, '--respondent', respondent];
  return admin.json('survey', 'why', slugOf(tenant, index), ...of, ...flags);
};
const daysAgo = (days: number) => new Date(service.clock.now() - days * DAY).toISOString();

describe('survey why', () => {
  it('lists every rule with its figure, whether it passed, and when it will pass', async () => {
    const surveys = [aSurvey({ limits: { maxResponses: 10 } }), aSurvey()];
    const tenant = await service.tenant({ limits: { quietPeriodMs: 7 * DAY, monthlyCap: 1 } }, surveys);
    expect(await why(tenant, 'ann')).toEqual({
      slug: slugOf(tenant),
      respondentId: 'ann',
      issued: true,
      rules: [
        { rule: 'inactive', passed: true, figure: 'active', until: null },
        { rule: 'suppressed', passed: true, figure: 'neither answered nor dismissed', until: null },
        { rule: 'history_too_long', passed: true, figure: 'few enough answers to check', until: null },
        { rule: 'quiet_period', passed: true, figure: 'no answer yet, quiet for 7d', until: null },
        {
          rule: 'monthly_cap',
          passed: true,
          figure: '0 of 1 answers and dismissals in 30 days',
          until: null,
        },
        { rule: 'shown_often', passed: true, figure: '0 of 3 shows without an answer', until: null },
        { rule: 'survey_maximum', passed: true, figure: '0 of 10 responses', until: null },
        { rule: 'project_quota', passed: true, figure: '0 responses in 2026-11, no limit', until: null },
        { rule: 'targeting', passed: true, figure: 'everybody', until: null },
        { rule: 'sample', passed: true, figure: 'everybody', until: null },
      ],
    });

    await dismiss(service, tenant, 'ann', { surveyId: surveys[1]?.id });
    const gated = await why(tenant, 'ann');
    expect(gated.issued).toBe(false);
    expect(gated.rules.filter(({ passed }: { passed: boolean }) => !passed)).toEqual([
      {
        rule: 'quiet_period',
        passed: false,
        figure: `last dismissal on ${timeText(daysAgo(0))}, quiet for 7d`,
        until: daysAgo(-7),
      },
      {
        rule: 'monthly_cap',
        passed: false,
        figure: '1 of 1 answers and dismissals in 30 days',
        until: daysAgo(-30),
      },
    ]);
    expect((await why(tenant, 'ann', 1)).rules[1]).toEqual({
      rule: 'suppressed',
      passed: false,
      figure: 'answered or dismissed',
      until: null,
    });
    expect((await why(tenant, 'bob')).issued).toBe(true);
  });

  it('describes a survey that the person opens, at most ten times a day', async () => {
    const surveys = [aSurvey({}, { trigger: 'person' })];
    const tenant = await service.tenant({ rates: { publishable: 0, secret: 0 } }, surveys);
    for (let count = 0; count < 10; count += 1) {
      const { issued, rules } = await why(tenant, 'ann');
      expect([issued, rules[1].figure, rules[2].figure]).toEqual([
        ...[true, 'the person opens it'],
        'does not apply: the person opens it',
      ]);
      await respond(service, tenant, 'ann', { sessionId: 's' });
    }
    const { issued, rules } = await why(tenant, 'ann');
    const until = new Date(Math.ceil(service.clock.now() / DAY) * DAY).toISOString();
    expect(rules.filter(({ passed }: { passed: boolean }) => !passed)).toEqual([
      { rule: 'answered_often', passed: false, figure: '10 of 10 answers today', until },
    ]);
    expect(issued).toBe(false);
  });

  it('marks an answer that is no longer stored but still counts', async () => {
    const retention = { entries: [{ from: '2026-01-01T00:00:00.000Z', period: '35d' }] };
    const survey = aSurvey({ repeat: { answeredMs: 365 * DAY } });
    const tenant = await service.tenant({ retention, limits: { quietPeriodMs: 60 * DAY, monthlyCap: 0 } }, [
      survey,
    ]);
    await respond(service, tenant, 'ann');
    const figuresOf = async () => {
      const { rules } = await why(tenant, 'ann');
      return rules.slice(1, 4).map(({ figure }: { figure: string }) => figure.includes('no longer kept'));
    };
    expect(await figuresOf()).toEqual([false, false, false]);
    service.clock.advance(37 * DAY);
    expect(await figuresOf()).toEqual([true, false, true]);
  });

  it('prints a table and a verdict', async () => {
    const tenant = await service.tenant({}, [aSurvey({ status: 'paused' })]);
    const flags = ['--project', tenant.project.id, '--respondent', 'ann'];
    const { status, stdout } = await admin.run('survey', 'why', slugOf(tenant), ...flags);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^RULE +PASSED +FIGURE +PASSES AT\ninactive +no +paused +never\n/);
    expect(stdout).toContain(`${slugOf(tenant)} is not shown now.`);
  });

  it('lists targeting and sample, which the browser applies, as rules', async () => {
    const targeting: TargetingRule[] = [
      { trait: 'plan', op: 'in', value: ['team', 'pro'] },
      { trait: 'seats', op: 'gte', value: 5 },
      { trait: 'plan', op: 'exists' },
    ];
    const tenant = await service.tenant({}, [aSurvey({}, { targeting, samplePercent: 25 })]);
    const place = stickyHash('ann', tenant.surveys[0]?.id ?? '') % 100;
    const sample = {
      rule: 'sample',
      passed: place < 25,
      figure: `${place} of 0 to 99, asked below 25`,
      until: null,
    };
    const traits = (...given: string[]) => given.flatMap((trait) => ['--trait', trait]);
    for (const [flags, passed, figure] of [
      [[], null, 'depends on traits: plan, seats'],
      [traits('plan=pro', 'seats=5'), true, 'plan in ["team","pro"], seats gte 5, plan exists'],
      [traits('plan=pro', 'seats="5"'), false, 'not seats gte 5'],
      [traits('plan=null', 'seats=5'), false, 'not plan in ["team","pro"], not plan exists'],
      [traits('seats=7'), false, 'not plan in ["team","pro"], not plan exists'],
    ] as const) {
      const { issued, rules } = await why(tenant, 'ann', 0, ...flags);
      expect([issued, rules.slice(-2)]).toEqual([
        true,
        [{ rule: 'targeting', passed, figure, until: null }, sample],
      ]);
    }
  });

  it('prints that the verdict depends on traits, unless they are given', async () => {
    const targeting: TargetingRule[] = [{ trait: 'plan', op: 'eq', value: 'pro' }];
    const tenant = await service.tenant({}, [aSurvey({}, { targeting })]);
    const of = ['survey', 'why', slugOf(tenant), '--project', tenant.project.id, '--respondent', 'ann'];
    const said = async (...flags: string[]) => (await admin.run(...of, ...flags)).stdout;
    expect(await said()).toMatch(
      /\ntargeting +\? +depends on traits: plan\nsample +yes +everybody\n.* can be shown now if the traits match\.\n$/,
    );
    expect(await said('--trait', 'plan=pro')).toMatch(/\ntargeting +yes .* can be shown now\.\n$/s);
    expect(await said('--trait', 'plan=free')).toMatch(
      /\ntargeting +no +not plan eq "pro" +never\n.* is not shown now\.\n$/s,
    );
    for (const flags of [
      ['--trait', 'plan'],
      ['--trait', '=pro'],
      ['--trait', 'a=1', '--trait', 'a=2'],
    ])
      expect((await admin.run(...of, ...flags)).status).toBe(2);
  });

  it('warns that browsers are refused in a suspended project', async () => {
    const tenant = await service.tenant({ status: 'suspended' });
    const flags = ['--project', tenant.project.id, '--respondent', 'ann'];
    const { stderr } = await admin.run('survey', 'why', slugOf(tenant), ...flags);
    expect(stderr).toContain('suspended');
  });

  it('accepts a session and an observation as mint does, and refuses IDs that mint refuses', async () => {
    const tenant = await service.tenant();
    expect((await why(tenant, 'ann', 0, '--session', 's', '--observation', 'o')).issued).toBe(true);
    const flags = ['--project', tenant.project.id, '--respondent'];
    for (const [args, problem] of [
      [['x'.repeat(257)], '--respondent must be at most 256 bytes of UTF-8.'],
      [['ann', '--session', 'x'.repeat(257)], '--session must be at most 256 bytes of UTF-8.'],
      [['ann', '--observation', 'o'], '--observation requires --session.'],
    ] as const) {
      const ended = await admin.run('survey', 'why', slugOf(tenant), ...flags, ...args);
      expect(ended).toEqual(failed(2, `${problem}`));
    }
  });

  it('exits with 1 for a survey that does not exist', async () => {
    const tenant = await service.tenant();
    const flags = ['--project', tenant.project.id, '--respondent', 'ann'];
    expect(await admin.run('survey', 'why', 'none', ...flags)).toEqual(
      failed(1, `There is no survey none in project ${tenant.project.id}.`),
    );
  });
});

const passedOf = (rules: readonly { rule: string; passed: boolean }[], name: string) =>
  rules.find(({ rule }) => rule === name)?.passed;

describe('in random states', () => {
  const quarters = (most: number) => fc.integer({ min: 0, max: most * 4 }).map((n) => (n * DAY) / 4);
  const time = quarters(4).map((age) => age - 2 * DAY);
  const wait = fc.integer({ min: 1, max: 40 }).map((days) => days * DAY);
  const repeat = fc.oneof(
    fc.constantFrom<Repeat>('session', 'observation'),
    fc.record({ answeredMs: wait, dismissedMs: wait }, { requiredKeys: [] }),
  );
  const survey = fc.record(
    {
      status: fc.constantFrom('active' as const, 'active' as const, 'active' as const, 'paused' as const),
      startsIn: time,
      endsIn: time,
      quietPeriodMs: quarters(20),
      ignoreQuietPeriod: fc.boolean(),
      maxResponses: fc.integer({ min: 0, max: 4 }),
      responses: fc.integer({ min: 0, max: 4 }),
      repeat,
    },
    { requiredKeys: ['responses'] },
  );
  const state = fc.record({
    surveys: fc.array(survey, { minLength: 1, maxLength: 4 }),
    limits: fc.record(
      {
        quietPeriodMs: quarters(20),
        quietAfterDismissalMs: quarters(20),
        monthlyCap: fc.integer({ min: 0, max: 4 }),
        monthlyQuota: fc.nat(4),
      },
      { requiredKeys: ['quietPeriodMs', 'monthlyCap'] },
    ),
    thisMonth: fc.nat(4),
    ages: fc.array(quarters(40), { maxLength: 4 }),
    shown: fc.array(quarters(40), { maxLength: 5 }),
  });

  it('agrees with bootstrap, and with mint for a session and an observation', async () => {
    const { table } = service.table;
    const now = service.clock.now();
    await fc.assert(
      fc.asyncProperty(state, async ({ surveys, limits, thisMonth, ages, shown }) => {
        const at = (offset: number | undefined) =>
          offset === undefined ? undefined : new Date(now + offset).toISOString();
        const tenant = await service.tenant(
          { limits },
          surveys.map(({ status = 'active', startsIn, endsIn, responses: _, repeat: by, ...own }) =>
            aSurvey({ status, startsAt: at(startsIn), endsAt: at(endsIn), limits: own, repeat: by }),
          ),
        );
        const { id: projectId } = tenant.project;
        const ids = tenant.surveys.map(({ id }) => id);
        for (const [index, { responses }] of surveys.entries())
          await table.update(surveyTotalKey(projectId, ids[index] ?? ''), { add: { responses } });
        await table.update(projectTotalKey(projectId), { add: { 'month:2026-11': thisMonth } });
        const momentOf = (index: number) => now - (ages[index] ?? 0);
        const past = {
          projectId,
          surveyIds: [...ids.slice(1), 'sv_gone'],
          respondentOf: () => 'ann',
          momentOf,
        };
        const responseOf = (index: number) => (index % 2 === 0 ? {} : undefined);
        await seedAnswers(service.table, { ...past, responseOf, count: ages.length });

        await seedShows(
          service,
          { projectId, surveyId: ids[0] ?? '', respondentId: 'ann' },
          shown.map((age) => now - age),
        );
        const body = { key: tenant.publishableKey, userId: 'ann' };
        const issued = (await service.call(bootstrap, { body })).body;
        for (const [index, id] of ids.entries()) {
          const { issued: isIssued, rules } = await why(tenant, 'ann', index);
          expect(isIssued).toBe(issued.showTokens[id] !== undefined);
          const names = rules.map(({ rule }: { rule: string }) => rule);
          const gates = GATES.filter((gate) => gate !== 'answered_often');
          const always = ['inactive', ...gates, 'targeting', 'sample'];
          expect(names.filter((name: string) => name !== 'unbound')).toEqual(always);
          expect(names.includes('unbound')).toBe(typeof surveys[index]?.repeat === 'string');
          expect(passedOf(rules, 'suppressed')).toBe(!issued.suppression.includes(id));
          expect(rules[0].passed).toBe(issued.surveys.some((each: { id: string }) => each.id === id));
        }

        const session = { sessionId: 's', observationId: 'o' };
        const bound = ['--session', 's', '--observation', 'o'];
        const mint = async () => {
          const sent = { respondentId: 'ann', ...session };
          return (await service.call(mintTokens, { secretKey: tenant.secretKey, body: sent })).body;
        };
        const [first] = Object.entries((await mint()).tokens);
        if (first !== undefined) {
          const [surveyId, showToken] = first;
          const answer = { key: tenant.publishableKey, surveyId, showToken, rating: 3, ...session };
          expect((await service.call(submitResponse, { body: answer })).status).toBe(201);
        }
        const minted = await mint();
        for (const [index, id] of ids.entries()) {
          const { issued: isIssued, rules } = await why(tenant, 'ann', index, ...bound);
          expect(isIssued).toBe(minted.tokens[id] !== undefined);
          const { rule } = rules.find(({ passed }: { passed: boolean | null }) => passed === false) ?? {};
          const slug = tenant.surveys[index]?.content.slug ?? '';
          if (!isIssued && rules[0].passed) expect(minted.none[slug]).toBe(rule);
          if (rules[0].passed) expect(passedOf(rules, 'suppressed')).toBe(!minted.suppression.includes(id));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('lists pages and events as dependent on the page, and checks a page that is given', async () => {
    const on = { event: 'order-paid', times: 3 };
    const tenant = await service.tenant({}, [
      aSurvey({}, { pages: ['/orders/**', '/help'], on, trigger: 'auto' }),
      aSurvey({}, { pages: ['/'], targeting: [{ trait: 'plan', op: 'exists' }] }),
      aSurvey({}, { pages: ['/'], trigger: 'person' }),
    ]);
    const ofPage = async (index: number, ...flags: string[]) => {
      const { rules } = await why(tenant, 'ann', index, ...flags);
      return rules
        .slice(-2)
        .map(({ passed, figure }: { passed: unknown; figure: string }) => [passed, figure]);
    };
    const event = [null, "depends on the page's code: track('order-paid'), 3 times in a visit"];
    expect(await ofPage(0)).toEqual([[null, 'depends on the page: /orders/**, /help'], event]);
    expect(await ofPage(0, '--page', '/orders/7')).toEqual([[true, '/orders/**, /help'], event]);
    expect(await ofPage(0, '--page', '/about')).toEqual([[false, '/orders/**, /help'], event]);
    const text = async (index: number, ...flags: string[]) => {
      const of = ['--project', tenant.project.id, '--respondent', 'ann', ...flags];
      return (await admin.run('survey', 'why', slugOf(tenant, index), ...of)).stdout;
    };
    expect(await text(0)).toContain('can be shown now if the page matches and its event has happened.');
    expect(await text(1)).toContain('can be shown now if the traits match and the page matches.');
    expect(await text(1, '--page', '/', '--trait', 'plan=pro')).toContain('can be shown now.');
    expect(await text(1, '--page', '/a')).toContain('is not shown now.');
    expect(await text(2)).toContain('can be opened now if the page matches.');
    expect(await text(2, '--page', '/')).toContain('can be opened now.');
    expect(await text(2, '--page', '/a')).toContain('cannot be opened now.');
  });
});
