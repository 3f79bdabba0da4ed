import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { functionNames } from '../../bin/build/function-bundles.ts';
import { gatewayEvent } from '../support/events/lambda-events.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { serveInTest } from '../support/serve.ts';
import { useServedService } from '../support/service/served-service.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';
import { freshApp } from './support/fresh-app.ts';
import { OLDEST_NODE } from './support/nodes.ts';

const path = (relative: string): string => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const EXAMPLE = path('examples/cdk-app');
const app = freshApp({ packages: ['cdk'], others: ['aws-cdk-lib', 'constructs'] });
const assemblies = freshApp({ packages: [] });
const agent = freshApp({ packages: [], others: ['@aws-sdk/client-secrets-manager'] });

interface Resource {
  readonly Type: string;
  readonly Properties: {
    readonly Code: { readonly S3Key: string };
    readonly Handler: string;
    readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
    readonly PolicyDocument: { readonly Statement: readonly { readonly Resource: unknown }[] };
  };
}

interface Template {
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** The empty PATH shows that it needs no other program. */
function synthesise(
  script: string,
  node: string,
  environment: Readonly<Record<string, string>> = {},
): string {
  const output = mkdtempSync(join(assemblies, 'cdk.out-'));
  execFileSync(node, [script], { cwd: app, env: { PATH: '', CDK_OUTDIR: output, ...environment } });
  return output;
}

const templateIn = (output: string, stack: string): Template =>
  JSON.parse(readFileSync(join(output, `${stack}.template.json`), 'utf8'));

const MODULES = {
  'stage.mjs': `import { App, Stack } from 'aws-cdk-lib';
    import { Canvass } from '@canvass-surveys/cdk';`,
  'stage.cjs': `const { App, Stack } = require('aws-cdk-lib');
    const { Canvass } = require('@canvass-surveys/cdk');`,
};

let output: string;
let template: Template;
beforeAll(() => {
  cpSync(EXAMPLE, app, { recursive: true });
  cpSync(join(EXAMPLE, 'agent'), agent, { recursive: true });
  // The CDK validates this template against CloudFormation's schemas, which takes longest.
  output = synthesise('app.ts', process.execPath);
  template = templateIn(output, 'Agents');
});

it.each([
  ['node16', { module: 'node16' }],
  ['bundler', { module: 'preserve', moduleResolution: 'bundler' }],
])('passes the type checker: %s', (name, options) => {
  const faults = `
    import { Canvass, type CanvassProps } from '@canvass-surveys/cdk';
    import { Stack } from 'aws-cdk-lib';
    const props: CanvassProps = { stage: 'prod', events: {}, logRetentionDays: 1827 };
    export const url: string = new Canvass(new Stack(), 'Surveys', props).api.url;
    // @ts-expect-error there is no such retention
    export const retention: CanvassProps = { stage: 'prod', logRetentionDays: 8 };
    // @ts-expect-error a stage has a name
    export const nameless: CanvassProps = {};`;
  writeFileSync(join(app, 'faults.ts'), faults);
  const compilerOptions = { ...options, typeRoots: [path('node_modules/@types')] };
  const project = { extends: './tsconfig.json', compilerOptions, include: ['app.ts', 'faults.ts'] };
  writeFileSync(join(app, `tsconfig.${name}.json`), JSON.stringify(project));
  const tsc = [path('node_modules/typescript/bin/tsc'), '-p', join(app, `tsconfig.${name}.json`)];
  expect(() => execFileSync(process.execPath, tsc, { stdio: 'pipe', encoding: 'utf8' })).not.toThrow();
});

describe('synthesized from the tarball alone', () => {
  it('equals the stage of a checkout, imported or required', () => {
    const [imported, required] = Object.entries(MODULES).map(([file, imports]) => {
      const stack = `new Stack(new App(), 'canvass-test', { description: ${JSON.stringify(
        'Canvass, in-product rating surveys (test)',
      )} })`;
      writeFileSync(join(app, file), `${imports}\nnew Canvass(${stack}, 'Default', { stage: 'test' });`);
      return templateIn(synthesise(file, OLDEST_NODE, { CDK_VALIDATION: 'false' }), 'canvass-test');
    });
    expect(required).toEqual(imported);
    const withoutCode = (stage: unknown) =>
      JSON.parse(
        JSON.stringify(stage, (key, value) => (['Code', 'Metadata'].includes(key) ? undefined : value)),
      );
    expect(withoutCode(imported)).toEqual(withoutCode(aTemplate().toJSON()));
  });

  it("passes the CDK's own checks", () => {
    const report = JSON.parse(readFileSync(join(output, 'validation-report.json'), 'utf8'));
    expect(report.pluginReports).toEqual([]);
  });

  it('contains every function whole: each loads, and one answers', async () => {
    const functions = Object.entries(template.Resources).filter(
      ([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('Surveys'),
    );
    const folderOf = (code: { S3Key: string }) => join(output, `asset.${code.S3Key.replace('.zip', '')}`);
    const handlers = functions.map(
      ([, { Properties }]) => [folderOf(Properties.Code), Properties.Handler] as const,
    );
    const folders = new Set(handlers.map(([folder]) => folder));
    // Scores, events, the probe, Slack and the digest are not enabled. The steps of a purge share one bundle.
    expect(folders.size).toBe(functionNames().length - 5);
    for (const folder of folders) expect(readdirSync(folder).sort()).toEqual(['index.js', 'index.js.map']);
    const [, unknown] = functions.find(([id]) => id.startsWith('SurveysApiunknownpath')) ?? [];
    const event = gatewayEvent({ method: 'GET', path: '/nothing', query: '', headers: {}, body: undefined });
    const script = `
      const handlers = ${JSON.stringify(handlers)};
      const kinds = new Set(handlers.map(([folder, name]) => typeof require(folder)[name.replace('index.', '')]));
      const { handler } = require(${JSON.stringify(folderOf(unknown?.Properties.Code ?? { S3Key: '' }))});
      handler(${JSON.stringify(event)}, { awsRequestId: 'r' }).then(({ statusCode, body }) =>
        process.stderr.write(JSON.stringify([[...kinds], statusCode, JSON.parse(body).error.code])));`;
    const child = spawn(process.execPath, ['-e', script], {
      env: {
        ...unknown?.Properties.Environment.Variables,
        AWS_REGION: 'us-east-1',
      },
    });
    child.stdout.resume();
    expect(JSON.parse(await text(child.stderr))).toEqual([['function'], 404, 'not_found']);
  });

  it('tells the team’s function where to mint and grants it only the key', () => {
    const find = (part: string) =>
      Object.entries(template.Resources).find(([id]) => id.startsWith(part)) ?? [];
    const [secret] = find('SurveysMintKeySecret');
    const [, ours] = Object.entries(template.Resources).find(([id]) => /^Agent[0-9A-F]{8}$/.test(id)) ?? [];
    expect(ours?.Properties.Environment.Variables).toEqual({
      CANVASS_URL: { 'Fn::GetAtt': [find('SurveysApiHttp')[0], 'ApiEndpoint'] },
      CANVASS_MINT_KEY_SECRET_ID: { Ref: secret },
    });
    const [, policy] = find('AgentServiceRoleDefaultPolicy');
    expect(policy?.Properties.PolicyDocument.Statement.map(({ Resource }) => Resource)).toEqual([
      { Ref: secret },
    ]);
  });
});

const { service, gateway } = await useServedService();

async function reply(environment: Readonly<Record<string, string>>) {
  const script = `
    const { handler } = await import(${JSON.stringify(join(agent, 'index.mjs'))});
    console.log(JSON.stringify(await handler({ userId: 'ann', sessionId: 's', text: 'Hi' })));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      CANVASS_MINT_KEY_SECRET_ID: 'arn:key',
      ...environment,
    },
  });
  const [said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return JSON.parse(said);
}

it("mints in its agent with the secret's key, and replies without thumbs if there is none", async () => {
  const tenant = await service.tenant({}, [aSurvey({}, { slug: 'helpful' })]);
  let key: string | undefined;
  const url = await serveInTest(async (request, response) => {
    const { SecretId } = (await json(request)) as { SecretId: string };
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    if (key === undefined) response.writeHead(400).end('{"__type":"ResourceNotFoundException"}');
    else response.end(JSON.stringify({ Name: SecretId, SecretString: key }));
  });
  const environment = { CANVASS_URL: gateway.url, AWS_ENDPOINT_URL_SECRETS_MANAGER: url };
  expect(await reply(environment)).toEqual({ text: "Your model's reply to: Hi" });
  key = tenant.secretKey;
  const { binding } = await reply(environment);
  const answered = await fetch(`${gateway.url}/v1/sdk/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key: tenant.publishableKey, ...binding, rating: 7 }),
  });
  expect(answered.status).toBe(201);
});
