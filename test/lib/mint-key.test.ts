/** What `grantMint` gives, and that nothing is made before it is called. */

import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { describe, expect, it } from 'vitest';
import { Canvass } from '../../lib/canvass.ts';
import type { CanvassProps } from '../../lib/canvass-props.ts';
import { logicalId } from '../support/stack/synthesised-stack.ts';

function aTeam(props: Partial<CanvassProps> = {}) {
  const context = { 'aws:cdk:bundling-stacks': [], 'aws:cdk:enable-path-metadata': true };
  const stack = new Stack(new App({ context }), 'Team');
  const agent = new LambdaFunction(stack, 'Agent', {
    code: Code.fromInline('exports.handler = async () => undefined;'),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
  });
  return { stack, agent, surveys: new Canvass(stack, 'Surveys', { stage: 'test', ...props }) };
}

/** Statements of the roles whose policies lie under a path. */
function allowed(template: Template, path: string) {
  return Object.values(template.findResources('AWS::IAM::Policy'))
    .filter(({ Metadata }) => String(Metadata['aws:cdk:path']).startsWith(path))
    .flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
}

const SECRET = 'AWS::SecretsManager::Secret';

describe('grantMint', () => {
  it('makes one secret at the first call, empty, kept as the stage keeps its own, with its name in an output', () => {
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

  it('is not called: nothing is made', () => {
    const { stack } = aTeam();
    const template = Template.fromStack(stack);
    template.resourceCountIs(SECRET, 2);
    expect(Object.keys(template.findOutputs('*')).filter((name) => name.includes('Mint'))).toEqual([]);
  });

  it('lets the grantee read this secret and nothing else, and tells a function where it and the service are', () => {
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

  it('lets no function of the service read it', () => {
    const { stack, agent, surveys } = aTeam();
    surveys.grantMint(agent);
    const template = Template.fromStack(stack);
    const secret = logicalId(template, SECRET, '/MintKey/');
    expect(JSON.stringify(allowed(template, 'Team/Surveys'))).not.toContain(secret);
  });

  it('with a key, lets the grantee decrypt through Secrets Manager', () => {
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/8a7b6c5d-1234-4321-abcd-1234567890ab';
    const { stack, agent, surveys } = aTeam({ kmsKeyArn });
    surveys.grantMint(agent);
    const decrypt = allowed(Template.fromStack(stack), 'Team/Agent').find(
      ({ Action }) => Action === 'kms:Decrypt',
    );
    expect(decrypt).toMatchObject({ Action: 'kms:Decrypt', Effect: 'Allow', Resource: kmsKeyArn });
    expect(JSON.stringify(decrypt.Condition)).toContain('secretsmanager');
  });

  it('of two deployments for one function is refused: the second would take the place of the first', () => {
    const { stack, agent, surveys } = aTeam();
    const beta = new Canvass(stack, 'Beta', { stage: 'beta' });
    surveys.grantMint(agent);
    surveys.grantMint(agent);
    expect(() => beta.grantMint(agent)).toThrow('Team/Agent mints at another Canvass');
  });

  it('tells its secret to what takes no environment', () => {
    const { stack, surveys } = aTeam();
    expect(surveys.mintKeySecret()).toBe(surveys.mintKeySecret());
    Template.fromStack(stack).resourceCountIs(SECRET, 3);
  });
});
