import { execFile, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wrongInTemplate } from '../support/stack/cloudformation-schema.ts';
import { resolveTemplate, type TemplateText } from '../support/stack/resolved-template.ts';
import { changesBetween } from '../support/stack/stack-update.ts';
import { EVERYTHING } from '../support/stack/stages.ts';
import { stacksOf } from '../support/stack/synthesised-stack.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
/**
 * Has the stack name of the other tests. All-at-once deployment avoids Lambda versions, whose names contain a code
 * hash.
 */
const STAGES = { test: { ...EVERYTHING, deployment: 'all-at-once' } };

const env = { ...process.env, CDK_CONTEXT_JSON: JSON.stringify({ stages: STAGES }) };

const folders = mkdtempSync(join(tmpdir(), 'canvass-test-'));
afterAll(() => rmSync(folders, { recursive: true, force: true }));

async function portable(stage: string) {
  const folder = mkdtempSync(join(folders, 'portable-'));
  const args = ['bin/portable.ts', '--stage', stage, '--out', folder];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  const templates = readdirSync(folder).filter((name) => name.endsWith('.template.json'));
  const read = (name: string): TemplateText => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  return {
    folder,
    stdout,
    templates: new Map(templates.map((name) => [name.split('.')[0] ?? '', read(name)])),
  };
}

let made: Awaited<ReturnType<typeof portable>>;
let again: typeof made;
beforeAll(async () => {
  [made, again] = await Promise.all([portable('test'), portable('test')]);
});

const templateOf = (name: string): TemplateText => {
  const template = made.templates.get(name);
  if (template === undefined) throw new Error(`there is no template of ${name}`);
  return template;
};
const resourcesOf = (...args: Parameters<typeof resolveTemplate>) => [...resolveTemplate(...args).values()];

describe('a portable stage', () => {
  it('consists of one template, and a second one for its edge', () => {
    expect([...made.templates.keys()].sort()).toEqual(['canvass-test', 'canvass-test-edge']);
    expect(made.stdout).toMatch(/canvass-test\.[0-9a-f]{12}\.template\.json: \d+ bytes, by template_url\n/);
    for (const name of readdirSync(made.folder).filter((each) => each.endsWith('.json')))
      expect(statSync(join(made.folder, name)).size).toBeLessThan(1_048_576);
  });

  it('needs only CAPABILITY_IAM, because no IAM resource has a name (CloudFormation, CreateStack)', () => {
    for (const { Resources } of made.templates.values())
      for (const { Type, Properties = {} } of Object.values(Resources))
        if (/^AWS::IAM::(?!Policy$)/.test(Type))
          expect(Object.keys(Properties).filter((name) => name.endsWith('Name'))).toEqual([]);
  });

  it('has parameters for the bucket, the prefix and the address of alarms, and no CDK parameters', () => {
    expect(Object.keys(templateOf('canvass-test').Parameters ?? {})).toEqual([
      'CodeBucket',
      'CodePrefix',
      'AlarmEmail',
    ]);
    expect(Object.keys(templateOf('canvass-test-edge').Parameters ?? {})).toEqual(['AlarmEmail']);
    for (const template of made.templates.values()) {
      expect(template).not.toHaveProperty('Rules');
      expect(JSON.stringify(template)).not.toMatch(/cdk-|aws:cdk|Bootstrap/);
    }
  });

  it('matches the schemas of CloudFormation', () => {
    for (const template of made.templates.values()) expect(wrongInTemplate(template)).toEqual([]);
  });

  it('passes cfn-lint where it is installed', ({ skip }) => {
    if (spawnSync('cfn-lint', ['--version']).status !== 0) skip('No cfn-lint is installed.');
    for (const name of readdirSync(made.folder).filter((each) => each.endsWith('.json'))) {
      const region = name.includes('-edge.') ? 'us-east-1' : 'eu-west-1';
      // The CDK declares some dependencies twice.
      const args = ['--ignore-checks', 'W3005', '--regions', region, '--', join(made.folder, name)];
      const { status, stdout } = spawnSync('cfn-lint', args, { encoding: 'utf8' });
      expect([name, status, stdout]).toEqual([name, 0, '']);
    }
  });

  it("can be created: each reference leads to a resource, and each function's code exists", () => {
    const resources = resourcesOf(templateOf('canvass-test'), {
      CodeBucket: 'code',
      CodePrefix: 'canvass/',
    });
    const functions = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
    const keys = new Set<string>(functions.map(({ properties }) => properties.Code.S3Key));
    const files = readdirSync(join(made.folder, 'functions')).map((name) => `canvass/functions/${name}`);
    expect([...keys].sort()).toEqual(files.sort());
    expect(new Set(functions.map(({ properties }) => properties.Code.S3Bucket))).toEqual(new Set(['code']));
    expect(() => resolveTemplate(templateOf('canvass-test-edge'))).not.toThrow();
    expect(() => resolveTemplate(templateOf('canvass-test'))).toThrow('[CodeBucket] must have values');
  });

  it("updates a stack of the CDK and back, and changes only the functions' code", () => {
    for (const [name, { template, region }] of stacksOf(STAGES.test)) {
      const portable = templateOf(name);
      const hasCode = portable.Parameters?.CodeBucket !== undefined;
      const byCdk = resolveTemplate(template, {}, region);
      const taken = resolveTemplate(portable, hasCode ? { CodeBucket: 'code' } : {}, region);
      for (const [from, to] of [
        [byCdk, taken],
        [taken, byCdk],
      ] as const) {
        const changes = changesBetween(from, to);
        expect(changes.length > 0).toBe(hasCode);
        for (const { id, type, change, properties } of changes) {
          expect([id, type, change]).toEqual([id, 'AWS::Lambda::Function', 'update']);
          expect(properties).toEqual(['Code']);
        }
      }
    }
  });

  it('has zip files that another program can open, with a function that responds', () => {
    const folder = join(made.folder, 'functions');
    const [unknown = ''] = readdirSync(folder).filter((name) => name.startsWith('unknown-path.'));
    const opened = temporaryFolder();
    const unzip = `import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; z.extractall(sys.argv[2])`;
    const { status, stderr } = spawnSync('python3', ['-c', unzip, join(folder, unknown), opened], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
    const loaded = spawnSync(
      process.execPath,
      ['-p', `typeof require(${JSON.stringify(join(opened, 'index.js'))}).handler`],
      { encoding: 'utf8', env: { METRICS_NAMESPACE: 'canvass-test' } },
    );
    expect(loaded.stdout).toBe('function\n');
    expect(existsSync(join(opened, 'index.js.map'))).toBe(true);
  });

  it('has the same files for the same settings, so that nothing is deployed twice', () => {
    expect(readdirSync(again.folder, { recursive: true }).sort()).toEqual(
      readdirSync(made.folder, { recursive: true }).sort(),
    );
  });

  it('is refused with a one-line message if no stage is given', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bin/portable.ts', '--stage', 'prdo'], {
      cwd: ROOT,
      env,
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      1,
      `There is no stage "prdo" under "stages" in cdk.json's context. Stages: test.\n`,
    ]);
  });
});
