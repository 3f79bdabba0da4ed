import { CfnApiMapping, type CfnStage, DomainName, type HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import type { DomainSettings } from './settings/settings.ts';
import { requireStageRegion } from './settings/stage-region.ts';

export class ApiDomain extends Construct {
  readonly url: string;
  readonly target: string | undefined;
  readonly #domain: DomainName;

  constructor(scope: Construct, id: string, { name, certificateArn, hostedZoneId }: DomainSettings) {
    super(scope, id);
    requireStageRegion(this, 'domain.certificateArn', certificateArn, 'a certificate');
    const certificate = Certificate.fromCertificateArn(this, 'Certificate', certificateArn);
    this.#domain = new DomainName(this, 'Name', { domainName: name, certificate });
    this.url = `https://${name}`;
    const { regionalDomainName, regionalHostedZoneId } = this.#domain;
    this.target = hostedZoneId === undefined ? regionalDomainName : undefined;
    if (hostedZoneId === undefined) return;
    // Domains of HTTP APIs use IPv4 by default (API Gateway, "IP address types").
    new CfnRecordSet(this, 'Record', {
      hostedZoneId,
      name,
      type: 'A',
      aliasTarget: { dnsName: regionalDomainName, hostedZoneId: regionalHostedZoneId },
    });
  }

  map(api: HttpApi, stage: CfnStage): void {
    new CfnApiMapping(this, 'Mapping', {
      apiId: api.apiId,
      domainName: this.#domain.name,
      stage: stage.ref,
    });
  }
}
