import { readFileSync } from 'node:fs';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { submitDismissal } from '../../functions/submit-dismissal.ts';
import { submitResponse } from '../../functions/submit-response.ts';
import type { Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { aResponseRow, deliver } from '../support/fixtures/a-stream.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { createTestService } from '../support/service/test-service.ts';
import { aTemplate, logicalId } from '../support/stack/synthesised-stack.ts';

const SERVED: readonly Route[] = [...ROUTES, unknownPathRoute];

describe('the stack', () => {
  const template = aTemplate();

  describe('table', () => {
    it('is on demand, recoverable, protected and encrypted, with time to live and a stream of both images', () => {
      template.hasResource('AWS::DynamoDB::Table', {
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Properties: {
          BillingMode: 'PAY_PER_REQUEST',
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
          DeletionProtectionEnabled: true,
          SSESpecification: { SSEEnabled: true },
          TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
          StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
        },
      });
    });

    it('has both indexes, with only keys', () => {
      const index = (name: string, hash: string, range: string) => ({
        IndexName: name,
        KeySchema: [
          { AttributeName: hash, KeyType: 'HASH' },
          { AttributeName: range, KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      });
      template.hasResourceProperties('AWS::DynamoDB::Table', {
        GlobalSecondaryIndexes: [
          index('by_project', 'projectShard', 'projectOrder'),
          index('by_score_state', 'scoreShard', 'scoreOrder'),
          index('by_contact', 'contactShard', 'contactOrder'),
        ],
      });
    });

    it('is deleted with a stage whose removal policy is destroy', () => {
      const dev = aTemplate({ removalPolicy: 'destroy' });
      dev.hasResource('AWS::DynamoDB::Table', {
        DeletionPolicy: 'Delete',
        Properties: { DeletionProtectionEnabled: false },
      });
      dev.allResources('AWS::SecretsManager::Secret', { DeletionPolicy: 'Delete' });
    });
  });

  /** A change here would generate the secret again and lose every suppression or every outstanding token. */
  describe('secrets, never generated again', () => {
    it.each([
      ['HashSecret', 'SecretsHashSecretA5391D92', { ExcludePunctuation: true, PasswordLength: 64 }],
      [
        'TokenRing',
        'SecretsTokenRing7BCD788C',
        {
          ExcludePunctuation: true,
          PasswordLength: 64,
          GenerateStringKey: 'initial',
          SecretStringTemplate: '{"keys":[]}',
        },
      ],
    ])('%s keeps its logical id and generation properties', (part, id, generation) => {
      expect(logicalId(template, 'AWS::SecretsManager::Secret', part)).toBe(id);
      expect(template.findResources('AWS::SecretsManager::Secret')[id]).toEqual({
        Type: 'AWS::SecretsManager::Secret',
        DeletionPolicy: 'Retain',
        UpdateReplacePolicy: 'Retain',
        Metadata: expect.anything(),
        Properties: { Description: expect.any(String), GenerateSecretString: generation },
      });
    });
  });

  it('runs functions on Node 24 and arm64, with the time-out of their route', () => {
    for (const { name, timeoutSeconds } of SERVED) {
      const id = logicalId(template, 'AWS::Lambda::Function', `/${name}/`);
      expect(template.findResources('AWS::Lambda::Function')[id]?.Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Timeout: timeoutSeconds,
      });
    }
  });

  it('keeps every log for a limited time', () => {
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 });
    const functions = template.findResources('AWS::Lambda::Function');
    for (const { Properties } of Object.values(functions))
      expect(Properties.LoggingConfig.LogGroup).toBeDefined();
  });

  describe('stream', () => {
    it('splits a failed batch, and queues the rest after its documented maximum age', () => {
      template.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
        BisectBatchOnFunctionError: true,
        ParallelizationFactor: 1,
        MaximumRecordAgeInSeconds: 21_600,
        MaximumRetryAttempts: 1_000,
        DestinationConfig: { OnFailure: Match.anyValue() },
        FunctionResponseTypes: Match.absent(),
        TumblingWindowInSeconds: Match.absent(),
      });
      const [, section] = readFileSync('docs/operations.md', 'utf8').split('### Counting behind');
      expect(section?.split('###')[0]).toContain('six hours');
    });

    it('has one consumer, whose mapping keeps its position in the stream', () => {
      expect(Object.keys(template.findResources('AWS::Lambda::EventSourceMapping'))).toEqual([
        'AnswersStream08C2F96E',
      ]);
    });

    it('delivers changes of answers by either image, and no other item, such as results', async () => {
      const [mapping] = Object.values(template.findResources('AWS::Lambda::EventSourceMapping'));
      const service = await createTestService();
      const { publishableKey: key, surveys, project } = await service.tenant({}, [aSurvey(), aSurvey()]);
      const [answered, dismissed] = surveys.map(({ id }) => id);
      const { body } = await service.call(bootstrap, { body: { key, userId: 'ann' } });
      const token = (surveyId = '') => ({ key, surveyId, showToken: body.showTokens[surveyId] });
      await service.call(submitResponse, { body: { ...token(answered), rating: 3 } });
      await service.call(submitDismissal, { body: { ...token(dismissed), userId: 'ann' } });
      await deliver(service, [aResponseRow({ projectId: project.id, surveyId: answered })]);
      const { client, tableName } = service.table;
      const { Items = [] } = await client.send(new ScanCommand({ TableName: tableName }));
      expect(Items.map(({ type }) => type?.S)).toContain('result');

      const filters: { Pattern: string }[] = mapping?.Properties.FilterCriteria.Filters ?? [];
      const delivered = filters.map(({ Pattern }) => {
        const { dynamodb, ...others } = JSON.parse(Pattern);
        expect(others).toEqual({});
        const [[image, wanted] = []] = Object.entries<{ type: { S: string[] } }>(dynamodb);
        return { image, types: Items.filter((item) => wanted?.type.S.includes(item.type?.S ?? '')) };
      });
      expect(delivered.map(({ image }) => image)).toEqual(['NewImage', 'OldImage']);
      for (const { types } of delivered)
        expect(types.map(({ type }) => type?.S).sort()).toEqual(['dismissal', 'response']);
    });
  });

  it('lists everything that the operator CLI needs in its outputs', () => {
    expect(Object.keys(template.findOutputs('*')).sort()).toEqual(
      [
        'ApiUrl',
        'ErasureLogTableName',
        'HashSecretName',
        'IndexShards',
        'KeyAbbreviation',
        'PurgeStateMachineArn',
        'Stage',
        'TableName',
        'TokenRingName',
        'Version',
      ].sort(),
    );
  });
});
