import { Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { type IGrantable, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime, SingletonFunction } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { Canvass } from '../../lib/canvass.ts';
import type { CanvassProps } from '../../lib/canvass-props.ts';
import { anApp, logicalId } from '../support/stack/synthesised-stack.ts';

const INLINE = {
  code: Code.fromInline('exports.handler = async () => undefined;'),
  handler: 'index.handler',
  runtime: Runtime.NODEJS_24_X,
};

function aTeam(props: Partial<CanvassProps> = {}, env = {}) {
  const app = anApp();
  const stack = new Stack(app, 'Team', { env });
  const agent = new LambdaFunction(stack, 'Agent', INLINE);
  return { app, stack, agent, surveys: new Canvass(stack, 'Surveys', { stage: 'test', ...props }) };
}

/** Simulates a function whose class comes from another copy of the CDK. */
const ofAnotherCopy = (agent: LambdaFunction): object => {
  const theirs = Object.create(Object.getPrototypeOf(LambdaFunction.prototype));
  return Object.defineProperties(theirs, Object.getOwnPropertyDescriptors(Object.getPrototypeOf(agent)));
};

function allowed(template: Template, path: string) {
  return Object.values(template.findResources('AWS::IAM::Policy'))
    .filter(({ Metadata }) => String(Metadata['aws:cdk:path']).startsWith(path))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
}

const SECRET = 'AWS::SecretsManager::Secret';

describe('grantMint', () => {
  it('creates one empty secret at the first call, with the stage’s removal policy and an output with its name', () => {
    const { stack, agent, surveys } = aTeam();
    const other = new Role(stack, 'Other', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') });
    surveys.grantMint(agent);
    surveys.grantMint(other);
    const template = Template.fromStack(stack);
    const id = logicalId(template, SECRET, '/MintKey/');
    expect(template.findResources(SECRET)[id]).toMatchObject({
      DeletionPolicy: 'Retain',
      Properties: { Description: expect.stringContaining('mint') },
    });
    expect(Object.keys(template.findResources(SECRET)[id]?.Properties)).toEqual(['Description']);
    template.resourceCountIs(SECRET, 3);
    expect(Object.keys(template.findOutputs('*')).filter((name) => name.includes('MintKey'))).toHaveLength(1);
  });

  it('creates nothing unless it is called', () => {
    const { stack } = aTeam();
    const template = Template.fromStack(stack);
    template.resourceCountIs(SECRET, 2);
    expect(Object.keys(template.findOutputs('*')).filter((name) => name.includes('Mint'))).toEqual([]);
  });

  it('lets the grantee read only this secret, and gives a function the addresses of secret and service', () => {
    const { stack, agent, surveys } = aTeam();
    surveys.grantMint(agent);
    const template = Template.fromStack(stack);
    const secret = { Ref: logicalId(template, SECRET, '/MintKey/') };
    expect(allowed(template, 'Team/Agent')).toEqual([
      {
        Action: ['secretsmanager:GetSecretValue', 'secretsmanager:DescribeSecret'],
        Effect: 'Allow',
        Resource: secret,
      },
    ]);
    const id = logicalId(template, 'AWS::Lambda::Function', 'Team/Agent/');
    expect(template.findResources('AWS::Lambda::Function')[id]?.Properties.Environment.Variables).toEqual({
      CANVASS_URL: stack.resolve(surveys.api.url),
      CANVASS_MINT_KEY_SECRET_ID: secret,
    });
  });

  it.each<[string, (agent: LambdaFunction, stack: Stack) => IGrantable]>([
    ['an alias', (agent) => agent.addAlias('live')],
    ['a version', (agent) => agent.currentVersion],
    ['the latest version', (agent) => agent.latestVersion],
    ['a singleton', (_, stack) => new SingletonFunction(stack, 'Single', { ...INLINE, uuid: 'agent' })],
    [
      'a function of another copy of aws-cdk-lib',
      (agent) => Object.setPrototypeOf(agent, ofAnotherCopy(agent)),
    ],
  ])('gives the addresses to the function of %s, too', (_what, granteeOf) => {
    const { stack, agent, surveys } = aTeam();
    expect(surveys.grantMint(granteeOf(agent, stack)).success).toBe(true);
    Template.fromStack(stack).hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ CANVASS_MINT_KEY_SECRET_ID: Match.anyValue() }) },
      Code: Match.objectLike({ ZipFile: Match.anyValue() }),
    });
  });

  it('warns about a function that accepts no environment variables', () => {
    const { stack, surveys } = aTeam();
    const functionArn = 'arn:aws:lambda:eu-west-1:123456789012:function:agent';
    const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    surveys.grantMint(LambdaFunction.fromFunctionAttributes(stack, 'Imported', { functionArn, role }));
    const said = 'Set CANVASS_URL and CANVASS_MINT_KEY_SECRET_ID where this function is defined';
    Annotations.fromStack(stack).hasWarning('/Team/Imported', Match.stringLikeRegexp(said));
  });

  it('refuses a function in another region, which could not find the secret', () => {
    const { app, stack, agent, surveys } = aTeam({}, { account: '123456789012', region: 'eu-west-1' });
    const far = new Stack(app, 'Far', { env: { account: '123456789012', region: 'us-east-1' } });
    expect(() => surveys.grantMint(new LambdaFunction(far, 'Agent', INLINE))).toThrow(
      'Far/Agent is in us-east-1 and can read secrets only there, but this Canvass is in eu-west-1.',
    );
    surveys.grantMint(agent);
    surveys.grantMint(Role.fromRoleArn(stack, 'Known', 'arn:aws:iam::123456789012:role/known'));
    expect(allowed(Template.fromStack(stack), 'Team/Agent')).toHaveLength(1);
  });

  it('refuses a function that already mints for another deployment, by whatever construct it is referenced', () => {
    const { stack, surveys } = aTeam();
    const single = (id: string) => new SingletonFunction(stack, id, { ...INLINE, uuid: 'agent' });
    surveys.grantMint(single('One'));
    const beta = new Canvass(stack, 'Beta', { stage: 'beta' });
    expect(() => beta.grantMint(single('Two'))).toThrow('already mints for another Canvass');
    expect(() => beta.grantMint(single('Three').currentVersion)).toThrow('already mints for another Canvass');
  });

  it('lets no function of the service read the secret', () => {
    const { stack, agent, surveys } = aTeam();
    surveys.grantMint(agent);
    const template = Template.fromStack(stack);
    const secret = logicalId(template, SECRET, '/MintKey/');
    expect(JSON.stringify(allowed(template, 'Team/Surveys'))).not.toContain(secret);
  });

  it('lets the grantee decrypt through Secrets Manager if the stage has a key', () => {
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/8a7b6c5d-1234-4321-abcd-1234567890ab';
    const { stack, agent, surveys } = aTeam({ kmsKeyArn });
    surveys.grantMint(agent);
    const decrypt = allowed(Template.fromStack(stack), 'Team/Agent').find(
      ({ Action }) => Action === 'kms:Decrypt',
    );
    expect(decrypt).toMatchObject({ Action: 'kms:Decrypt', Effect: 'Allow', Resource: kmsKeyArn });
    expect(JSON.stringify(decrypt.Condition)).toContain('secretsmanager');
  });

  it('refuses a second deployment for one function, which would replace the first', () => {
    const { stack, agent, surveys } = aTeam();
    const beta = new Canvass(stack, 'Beta', { stage: 'beta' });
    surveys.grantMint(agent);
    surveys.grantMint(agent);
    expect(() => beta.grantMint(agent)).toThrow('Team/Agent already mints for another Canvass');
  });

  it('exposes its secret for callers that accept no environment variables', () => {
    const { stack, surveys } = aTeam();
    expect(surveys.mintKeySecret()).toBe(surveys.mintKeySecret());
    Template.fromStack(stack).resourceCountIs(SECRET, 3);
  });
});
