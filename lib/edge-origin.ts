import { Aws, CfnCondition, CfnResource, Fn, RemovalPolicy, Validations } from 'aws-cdk-lib';
import { CfnApiMapping, type CfnStage, DomainName, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { type DeploymentSettings, type EdgeSettings, originSecretName } from './settings.ts';

interface EdgeOriginProps {
  readonly edge: EdgeSettings;
  readonly settings: DeploymentSettings;
}

/** The gateway's side of an edge: a domain in place of its own address, and the secret that CloudFront brings. */
export class EdgeOrigin extends Construct {
  /** Resolved by CloudFormation; the template holds the secret's name alone. */
  readonly secret: string;
  readonly #domain: DomainName;

  constructor(scope: Construct, id: string, { edge, settings }: EdgeOriginProps) {
    super(scope, id);
    const secret = new Secret(this, 'Secret', {
      secretName: originSecretName(settings),
      description: 'Canvass: by this the functions know that a request came through CloudFront',
      generateSecretString: { passwordLength: 48, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // The edge's stack reads it in us-east-1: there the secret itself, elsewhere its replica.
    const elsewhere = new CfnCondition(this, 'Elsewhere', {
      expression: Fn.conditionNot(Fn.conditionEquals(Aws.REGION, 'us-east-1')),
    });
    const resource = secret.node.defaultChild;
    if (resource instanceof CfnResource) {
      const replicas = Fn.conditionIf(elsewhere.logicalId, [{ Region: 'us-east-1' }], Aws.NO_VALUE);
      resource.addPropertyOverride('ReplicaRegions', replicas);
    }
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'CloudFront and the functions must change it together: replace it and deploy both stacks.',
    });
    this.secret = secret.secretValue.unsafeUnwrap();
    const { originDomainName, originCertificateArn } = edge;
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
}
