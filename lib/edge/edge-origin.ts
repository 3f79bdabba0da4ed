import { Aws, CfnCondition, CfnResource, Fn, RemovalPolicy } from 'aws-cdk-lib';
import { CfnApiMapping, type CfnStage, DomainName, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { ENVIRONMENT } from '../../shared/settings/environment.ts';
import { OwnSecret, secretValue } from '../data/secrets.ts';
import { type DeploymentSettings, type EdgeSettings, originSecretName } from '../settings/settings.ts';
import { requireStageRegion } from '../settings/stage-guard.ts';

interface EdgeOriginProps {
  readonly edge: EdgeSettings;
  readonly settings: DeploymentSettings;
}

export class EdgeOrigin extends Construct {
  /** The template contains only the names of the secrets. */
  readonly environment: Readonly<Record<string, string>>;
  readonly #domain: DomainName;

  constructor(scope: Construct, id: string, { edge, settings }: EdgeOriginProps) {
    super(scope, id);
    const existing = settings.existing?.originSecretArn;
    const secretArn = existing ?? this.#createSecret(settings, edge).secretArn;
    const { originDomainName, originCertificateArn, originSecretVersionId, previousOriginSecretVersionId } =
      edge;
    const version = (versionId: string | undefined) => secretValue(secretArn, versionId).unsafeUnwrap();
    this.environment = {
      [ENVIRONMENT.originSecret]: version(originSecretVersionId),
      ...(previousOriginSecretVersionId !== undefined && {
        [ENVIRONMENT.previousOriginSecret]: version(previousOriginSecretVersionId),
      }),
      [ENVIRONMENT.publicUrl]: `https://${edge.domainName}`,
      ...(edge.open && { [ENVIRONMENT.originOpen]: 'true' }),
    };
    requireStageRegion(this, 'edge.originCertificateArn', originCertificateArn, 'a certificate');
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', originCertificateArn);
    this.#domain = new DomainName(this, 'Domain', { domainName: originDomainName, certificate });
  }

  map(api: HttpApi, stage: CfnStage): void {
    new CfnApiMapping(this, 'Mapping', {
      apiId: api.apiId,
      domainName: this.#domain.name,
      stage: stage.ref,
    });
  }

  #createSecret(settings: DeploymentSettings, { kmsKeyArn }: EdgeSettings): Secret {
    const secret = new OwnSecret(this, 'Secret', settings, {
      what: 'origin-key',
      secretName: originSecretName(settings),
      description: 'Canvass: proves to functions that a request came through CloudFront',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
      whyNotRotated:
        'CloudFront and the functions change it together, by its version: see docs/operations.md.',
    });
    // The edge stack reads the secret in us-east-1. For stages in other regions, it reads a replica.
    const elsewhere = new CfnCondition(this, 'Elsewhere', {
      expression: Fn.conditionNot(Fn.conditionEquals(Aws.REGION, 'us-east-1')),
    });
    const resource = secret.node.defaultChild;
    if (resource instanceof CfnResource) {
      const replica = { Region: 'us-east-1', ...(kmsKeyArn !== undefined && { KmsKeyId: kmsKeyArn }) };
      const replicas = Fn.conditionIf(elsewhere.logicalId, [replica], Aws.NO_VALUE);
      resource.addPropertyOverride('ReplicaRegions', replicas);
    }
    return secret;
  }
}
