/** Policies as files, and the commands that make them. What is in them: test/docs. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../support/admin-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const EDGE = {
  domainName: 'surveys.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/abc',
  originDomainName: 'origin.example.com',
  originCertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/abc',
};

interface Told {
  readonly policies: readonly { readonly name: string; readonly file: string; readonly characters: number }[];
  readonly commands: readonly string[];
}

async function deploy(stage: object, ...flags: readonly string[]) {
  const out = temporaryFolder();
  const settings = join(temporaryFolder(), 'cdk.json');
  writeFileSync(settings, JSON.stringify({ context: { stages: { prod: stage } } }));
  const given = flags.includes('--region') ? [] : ['--region', 'eu-west-1'];
  const where = ['--account', '123456789012', ...given, '--settings', settings, '-o', out];
  const ended = await runInProcess(['iam', 'deploy', '--stage', 'prod', ...where, ...flags, '--json']);
  const told = (ended.status === 0 ? JSON.parse(ended.stdout) : undefined) as Told;
  const read = (name: string) => readFileSync(join(out, name), 'utf8');
  return {
    ...ended,
    told,
    files: readdirSync(out).sort(),
    read,
    all: () => readdirSync(out).map(read).join(),
  };
}

describe('iam deploy', () => {
  it('writes a file for each policy, and says how to make it and the bootstrap', async () => {
    const { told, files, read } = await deploy({});
    expect(files).toEqual(told.policies.map(({ name }) => `${name}.json`));
    for (const { name, characters } of told.policies) {
      const policy = JSON.parse(read(`${name}.json`));
      expect(JSON.stringify(policy)).toHaveLength(characters);
      expect(policy.Version).toBe('2012-10-17');
    }
    const [create, ...others] = told.commands;
    expect(create).toMatch(
      /^aws iam create-policy --policy-name canvass-prod-deploy-1 --policy-document file:/,
    );
    const arns = told.policies.map(({ name }) => `arn:aws:iam::123456789012:policy/${name}`);
    expect(others.at(-1)).toBe(
      `npm exec -- cdk bootstrap aws://123456789012/eu-west-1 --qualifier canvass --toolkit-stack-name CDKToolkit-canvass --cloudformation-execution-policies ${arns.join(',')}`,
    );
  });

  it('with an edge, has policies and a bootstrap of us-east-1', async () => {
    const { told, files } = await deploy({ edge: EDGE });
    expect(files).toContain('canvass-prod-deploy-edge-1.json');
    const [main = '', edge = ''] = told.commands.slice(-2);
    expect(main).toContain('/eu-west-1 ');
    expect(main).not.toContain('deploy-edge');
    expect(edge).toContain('/us-east-1 ');
    expect(edge).not.toContain('deploy-1');
    const there = await deploy({ edge: EDGE }, '--region', 'us-east-1');
    expect(there.told.commands.filter((command) => command.includes('bootstrap'))).toHaveLength(1);
  });

  it('names the stack and the construct of an app, and the partition of the region', async () => {
    const names = [
      '--stack',
      'Team',
      '--construct',
      'Surveys',
      '--edge-stack',
      'TeamEdge',
      '--qualifier',
      'q',
    ];
    const { all, files } = await deploy({ edge: EDGE }, '--region', 'cn-north-1', ...names);
    expect(files[0]).toMatch(/^Team-deploy/);
    expect(all()).toContain('arn:aws-cn:lambda:cn-north-1:123456789012:function:Team-*');
    expect(all()).toContain('secret:SurveysSecrets*');
    expect(all()).toContain('teamedge-*');
    expect(all()).toContain('parameter/cdk-bootstrap/q/version');
    expect(all()).not.toContain('arn:aws:lambda');
  });

  it.each([
    [['--account', '1'], 'twelve digits'],
    [['--region', 'Frankfurt'], 'Write a region as'],
    [['--stage', 'beta'], 'no stage "beta"'],
  ])('refuses %s', async (flags, message) => {
    const { status, stderr } = await deploy({}, ...flags);
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('iam operate', () => {
  it('says that it reads a deployed stack', async () => {
    const { stdout } = await runInProcess(['iam', 'operate', '--help']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('for the stage as it is deployed');
  });
});
