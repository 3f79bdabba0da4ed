/**
 * `iam deploy`: CloudFormation may do what a deployment, an upgrade, a rollback and a deletion of every stage need, and
 * no more; the policies are of IAM's sizes, and no statement of them can never be met.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { beforeAll, describe, expect, it } from 'vitest';
import { prefixOf } from '../../bin/admin/deployment.ts';
import { deployStatements } from '../../bin/admin/iam/deploy-statements.ts';
import { edgeStatements } from '../../bin/admin/iam/edge-statements.ts';
import { charactersOf, type Policy, pack } from '../../bin/admin/iam/statement.ts';
import { readStage } from '../../bin/admin/stage-settings.ts';
import { Canvass } from '../../lib/canvass.ts';
import type { CanvassProps } from '../../lib/canvass-props.ts';
import { type Walked, walkDeployment } from '../support/stack/deployment-walk.ts';
import { isAllowed } from '../support/stack/policy.ts';
import { wrongIn } from '../support/stack/policy-lint.ts';
import type { TemplateText } from '../support/stack/resolved-template.ts';
import { ACCOUNT, deniedOf, placeOf, REGION, stacksOf } from '../support/stack/stage-place.ts';
import { ALL, BOUNDARY, EVERYTHING, STAGES } from '../support/stack/stages.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface Walkable {
  readonly what: string;
  readonly policies: readonly Policy[];
  readonly requests: readonly Walked[];
}

/** The stacks of a stage, each with the policies that its region's role has. */
const walkablesOf = (what: string, stage: object): Promise<readonly Walkable[]> =>
  Promise.all(
    [...stacksOf(stage).values()].map(async ({ template, place, policies }) => ({
      what,
      policies,
      requests: await walkDeployment({ template }, place),
    })),
  );

const walkables: Walkable[] = [];
beforeAll(async () => {
  for (const [what, stage] of Object.entries(STAGES)) walkables.push(...(await walkablesOf(what, stage)));
});

const deniedIn = ({ policies, requests }: Walkable) => deniedOf(policies, requests);

/** Granted, though no handler's schema names it. */
const WITHOUT_A_WALK: Readonly<Record<string, string>> = {
  'lambda:GetFunctionRecursionConfig': 'Lambda reads it with a function',
  'lambda:ListVersionsByFunction': 'CloudFormation looks for a version that it may have published before',
  'logs:DescribeIndexPolicies': 'CloudWatch Logs reads them with a log group',
};

describe('the policies of a deployment', () => {
  it.each(Object.keys(STAGES))(
    'allow what CloudFormation calls, to make it, change it and take it away: %s',
    (stage) => {
      const own = walkables.filter(({ what }) => what === stage);
      expect(own.length).toBeGreaterThan(0);
      for (const walkable of own) {
        expect(walkable.requests.length).toBeGreaterThan(80);
        expect(deniedIn(walkable)).toEqual([]);
      }
    },
  );

  it('allow it for a construct in the stack of a team, with its mint key', async () => {
    const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Team');
    const props = { stage: 'test', ...ALL } as unknown as CanvassProps;
    new Canvass(stack, 'Surveys', props).mintKeySecret();
    const template = Template.fromStack(stack).toJSON() as TemplateText;
    const place = placeOf(ALL, { stack: 'Team', prefix: prefixOf('Surveys') });
    const requests = await walkDeployment({ template }, { stack: 'Team', region: REGION, account: ACCOUNT });
    expect(requests.some(({ resource }) => resource.includes(':secret:SurveysMintKey'))).toBe(true);
    expect(deniedOf(pack(deployStatements(place)), requests)).toEqual([]);
  });

  it('are written from a file with the props of an app, as docs/iam.md has it', () => {
    const [, example = ''] =
      readFileSync('docs/iam.md', 'utf8').match(/```json\n(\{\n {2}"context"[\s\S]*?)\n```/) ?? [];
    const settings = join(temporaryFolder(), 'stages.json');
    writeFileSync(settings, example);
    const { backup, events } = readStage({ stage: 'prod', settings });
    expect([backup !== undefined, events !== undefined]).toEqual([true, true]);
  });

  it('allow nothing that no stage needs, but for what is known to be called all the same', () => {
    const used = new Set(walkables.flatMap(({ requests }) => requests.map(({ action }) => action)));
    const granted = new Set(
      walkables.flatMap(({ policies }) =>
        policies.flatMap(({ Statement }) =>
          Statement.filter(({ Effect }) => Effect === 'Allow').flatMap(({ Action }) => Action),
        ),
      ),
    );
    const unused = [...granted].filter((action) => !used.has(action)).sort();
    expect(unused).toEqual(Object.keys(WITHOUT_A_WALK).sort());
  });

  it('say nothing that IAM does not know', async () => {
    const statements = walkables.flatMap(({ policies }) => policies.flatMap(({ Statement }) => Statement));
    const wrong = await Promise.all(statements.map(wrongIn));
    expect([...new Set(wrong.flat())]).toEqual([]);
    for (const { Action } of statements) expect(Action.join()).not.toContain('*');
  });

  it('name resources of the stage, but where IAM knows none', () => {
    const anywhere = new Set(
      walkables
        .flatMap(({ policies }) => policies.flatMap(({ Statement }) => Statement))
        .filter(({ Resource }) => Resource.includes('*'))
        .map(({ Sid }) => Sid),
    );
    expect([...anywhere].sort()).toEqual([
      'BackupStorage',
      'DistributionMade',
      'GradualDeploymentStopped',
      'LogsAnywhere',
      'RandomSecrets',
      'StreamMappingsMade',
    ]);
  });

  it('have each statement once', () => {
    for (const { policies } of walkables) {
      const sids = policies.flatMap(({ Statement }) => Statement.map(({ Sid }) => Sid));
      expect(new Set(sids).size).toBe(sids.length);
    }
  });
});

describe('their size', () => {
  const regions = RegionInfo.regions.map(({ name }) => name);
  const longest = regions.sort((a, b) => b.length - a.length)[0] ?? '';
  const LONG = { ...ALL, name: `canvass-${'x'.repeat(24)}` };
  const edged = { ...LONG, edge: EVERYTHING.edge };

  /** IAM, quotas: characters of a managed policy; policies of a role, unless it is raised. */
  it.each([
    ['canvass-prod', ALL, 'prod'],
    ['the longest name', edged, 'y'.repeat(16)],
  ])('fits in every region: %s', (_what, stage, name) => {
    expect(longest.length).toBeGreaterThanOrEqual(14);
    const place = placeOf(stage, { region: longest }, name);
    for (const statements of [deployStatements(place), edgeStatements(place)]) {
      const policies = pack(statements);
      expect(policies.length).toBeLessThanOrEqual(5);
      for (const policy of policies) expect(charactersOf(policy)).toBeLessThanOrEqual(6_144);
      expect(policies.flatMap(({ Statement }) => Statement)).toEqual(statements);
    }
  });

  it('a stack of which CloudFormation keeps a part of the name is met all the same', async () => {
    const stack = `team-${'x'.repeat(60)}`;
    const policies = pack(deployStatements(placeOf({}, { stack })));
    const template = aTemplate().toJSON() as TemplateText;
    const requests = await walkDeployment({ template }, { stack, region: REGION, account: ACCOUNT });
    expect(requests.some(({ resource }) => resource.includes(stack))).toBe(true);
    expect(deniedIn({ what: 'long', policies, requests })).toEqual([]);
  });
});

describe('a boundary', () => {
  const policies = pack(deployStatements(placeOf(ALL)));
  const role = (name = 'canvass-test-Role-1') => `arn:aws:iam::${ACCOUNT}:role/${name}`;
  const within = { 'iam:PermissionsBoundary': BOUNDARY };
  const ask = (action: string, context: Record<string, string>, resource = role()) =>
    isAllowed(policies, { action, resource, context });

  it.each([
    'iam:GetRole',
    'iam:DeleteRole',
    'iam:TagRole',
    'iam:GetRolePolicy',
    'iam:ListRolePolicies',
    'iam:UpdateAssumeRolePolicy',
  ])('is asked of nothing that does not carry it: %s', (action) => {
    expect(ask(action, {})).toBe(true);
  });

  it('lets roles be made and widened within it alone', () => {
    for (const action of ['iam:CreateRole', 'iam:PutRolePolicy', 'iam:PutRolePermissionsBoundary']) {
      expect([action, ask(action, within)]).toEqual([action, true]);
      expect([action, ask(action, {})]).toEqual([action, false]);
      const other = { 'iam:PermissionsBoundary': `${BOUNDARY}-wider` };
      expect([action, ask(action, other)]).toEqual([action, false]);
    }
  });

  it('cannot be taken off, whatever else is allowed', () => {
    const all: Policy = {
      Version: '2012-10-17',
      Statement: [{ Sid: 'All', Effect: 'Allow', Action: ['*'], Resource: ['*'] }],
    };
    const request = { action: 'iam:DeleteRolePermissionsBoundary', resource: role(), context: within };
    const naming = policies
      .flatMap(({ Statement }) => Statement)
      .filter(({ Action }) => Action.includes(request.action));
    expect(naming.map(({ Effect }) => Effect)).toEqual(['Deny']);
    expect(isAllowed([...policies, all], request)).toBe(false);
  });

  it('is left by no policy of AWS, and by no role of somebody else', () => {
    const admin = 'arn:aws:iam::aws:policy/AdministratorAccess';
    expect(ask('iam:AttachRolePolicy', { ...within, 'iam:PolicyARN': admin })).toBe(false);
    const lambda = { 'iam:PassedToService': 'lambda.amazonaws.com' };
    expect(ask('iam:PassRole', lambda)).toBe(true);
    expect(ask('iam:PassRole', lambda, role('admin'))).toBe(false);
    expect(ask('iam:PassRole', { 'iam:PassedToService': 'ec2.amazonaws.com' })).toBe(false);
  });

  it('that a stage has not yet can be put on, and a failed deployment take it off again', () => {
    const before = pack(deployStatements(placeOf({})));
    for (const action of ['iam:PutRolePermissionsBoundary', 'iam:DeleteRolePermissionsBoundary']) {
      expect(isAllowed(before, { action, resource: role(), context: within })).toBe(true);
    }
  });
});
