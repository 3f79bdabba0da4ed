import { createHash } from 'node:crypto';
import { Duration, Validations } from 'aws-cdk-lib';
import {
  CfnApiMapping,
  CfnStage,
  CorsHttpMethod,
  DomainName,
  HttpApi,
  HttpMethod,
  HttpRoute,
  type HttpRouteIntegrationBindOptions,
  type HttpRouteIntegrationConfig,
  HttpRouteKey,
  IntegrationCredentials,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { type IRole, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, FunctionBase, type IFunction } from 'aws-cdk-lib/aws-lambda';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { CfnRecordSet } from 'aws-cdk-lib/aws-route53';
import { Construct } from 'constructs';
import {
  CORS,
  countsRequests,
  isOfProject,
  type Path,
  pathsOf,
  type Route,
} from '../shared/contract/route.ts';
import { routes as ours, unknownPathRoute } from '../shared/contract/routes.ts';
import { EdgeOrigin } from './edge/edge-origin.ts';
import { type Backends, FunctionRole, GrantedRole } from './functions/function-role.ts';
import { ServiceFunction, ServiceLog } from './functions/service-function.ts';
import type { DomainSettings } from './settings/settings.ts';
import { requireStageRegion } from './settings/stage-guard.ts';

const PUBLIC = 'Anyone may ask this: it tells nothing of any project.';
const KEY_CHECKED_BEHIND =
  'The function checks the key: a publishable one is in the query or the body, which no authoriser of the gateway reads.';

const TOKEN_CHECKED_BEHIND =
  'The function opens the token in the path, which lets one person answer one survey.';

const OF_A_NAMED_PROJECT =
  'Anyone may ask this: it tells how people sign in to a project, and holds no secret.';

function reasonOf({ key, page, named }: Route): string {
  if (page === true) return TOKEN_CHECKED_BEHIND;
  if (named === true) return OF_A_NAMED_PROJECT;
  return key === undefined ? PUBLIC : KEY_CHECKED_BEHIND;
}

const AWAITED: ReadonlySet<string> = new Set(
  [ours.bootstrap, ours.submitResponse, ours.submitDismissal, ours.mintTokens].map(({ name }) => name),
);

/** `Alias` is not assignable to `IFunction` under exactOptionalPropertyTypes; its base class is. */
function functionIn(alias: Construct): IFunction {
  if (!(alias instanceof FunctionBase)) throw new TypeError(`${alias.node.path} is not a function`);
  return alias;
}

function routeKeyOf({ method, path }: Path): HttpRouteKey {
  return path === unknownPathRoute.path ? HttpRouteKey.DEFAULT : HttpRouteKey.with(path, HttpMethod[method]);
}

/**
 * API Gateway assumes one role for all functions, because a permission belongs to one function (API Gateway V2 API
 * reference, CreateApi: credentialsArn). Earlier integrations have another id: the reference does not say whether an
 * update without credentials removes them, so a rollback creates the earlier integration again.
 */
class RoleIntegration extends HttpLambdaIntegration {
  readonly #caller: IRole;

  constructor(called: IFunction, caller: IRole) {
    super('Call', called);
    this.#caller = caller;
  }

  override bind(options: HttpRouteIntegrationBindOptions): HttpRouteIntegrationConfig {
    return { ...super.bind(options), credentials: IntegrationCredentials.fromRole(this.#caller) };
  }

  /** Would add a permission. */
  protected override completeBind(): void {}
}

/**
 * The id of the role that routes with equal grants share. It is derived from the grants: if a version changes those of
 * one route, that route gets another role, and the role of the others never changes under them.
 */
function roleIdOf(route: Route): string {
  const grants = Object.entries(route.access)
    .map(([on, granted]) => [on, Array.isArray(granted) ? granted.toSorted() : granted])
    .sort();
  const text = JSON.stringify([grants, countsRequests(route)]);
  return `Access${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

export class ServiceApi extends Construct {
  readonly url: string;
  readonly http: HttpApi;
  readonly domain: ApiDomain | undefined;
  readonly accessLog: ILogGroup;
  readonly routes: readonly Route[];
  readonly #originEnvironment: Readonly<Record<string, string>>;
  readonly #roles = new Map<string, FunctionRole>();
  readonly functions = new Map<string, IFunction>();
  /** Aliases of functions that are deployed gradually, by route name. */
  readonly aliases = new Map<string, Alias>();

  constructor(scope: Construct, id: string, backends: Backends, routes: readonly Route[]) {
    super(scope, id);
    this.routes = [...routes, unknownPathRoute];
    const { name, stage: stageName, throttles, edge, domain } = backends.settings;
    const api = new HttpApi(this, 'Http', {
      apiName: `${name}-${stageName}`,
      createDefaultStage: false,
      disableExecuteApiEndpoint: edge !== undefined && !edge.open,
      corsPreflight: {
        allowOrigins: [...CORS.allowOrigins],
        allowMethods: CORS.allowMethods.map((method) => CorsHttpMethod[method]),
        allowHeaders: [...CORS.allowHeaders],
        exposeHeaders: [...CORS.exposeHeaders],
        maxAge: Duration.seconds(CORS.maxAgeSeconds),
      },
    });
    const origin = edge && new EdgeOrigin(this, 'Edge', { edge, settings: backends.settings });
    this.#originEnvironment = origin?.environment ?? {};
    this.domain = domain && new ApiDomain(this, 'Domain', domain);
    const isClosed = edge !== undefined && !edge.open;
    this.url = isClosed ? `https://${edge.domainName}` : (this.domain?.url ?? api.apiEndpoint);
    this.http = api;

    const accessLog = new ServiceLog(this, 'AccessLog', {
      name: `/aws/vendedlogs/${name}/${stageName}/access`,
      settings: backends.settings,
      kmsKeyArn: backends.settings.kmsKeyArn,
    });
    this.accessLog = accessLog;
    const routeSettings: Record<string, unknown> = {};
    const stage = new CfnStage(this, 'Stage', {
      apiId: api.apiId,
      stageName: '$default',
      autoDeploy: true,
      accessLogSettings: {
        destinationArn: accessLog.logGroupArn,
        format: JSON.stringify(ACCESS_LOG_FORMAT),
      },
      routeSettings,
    });

    origin?.map(api, stage);
    this.domain?.map(api, stage);

    // API Gateway sends no `aws:SourceAccount` here (aws-solutions-library-samples/
    // accelerated-intelligent-document-processing-on-aws#479). `iam:PassRole` limits who can use the role.
    const caller = new GrantedRole(this, 'Caller', new ServicePrincipal('apigateway.amazonaws.com'));
    const called: string[] = [];
    for (const route of this.routes) {
      const serving = this.#serve(route, backends);
      called.push(serving.functionArn);
      const integration = new RoleIntegration(serving, caller);
      const { rate, burst } = throttles[route.name] ?? route.throttle;
      for (const path of pathsOf(route)) {
        const routeKey = routeKeyOf(path);
        const { key } = routeKey;
        const gatewayRoute = new HttpRoute(this, key, { httpApi: api, routeKey, integration });
        Validations.of(gatewayRoute).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason: reasonOf(route),
        });
        // Route settings are valid only for routes that exist.
        stage.node.addDependency(gatewayRoute);
        routeSettings[key] = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
      }
    }
    caller.addToPrincipalPolicy(
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: called }),
    );
  }

  #serve(route: Route, backends: Backends): IFunction {
    const { name, timeoutSeconds, access } = route;
    const roleId = roleIdOf(route);
    const may = this.#roles.get(roleId) ?? new FunctionRole(this, roleId, backends);
    this.#roles.set(roleId, may);
    const serving = new ServiceFunction(this, name, { name, timeoutSeconds, backends, may });
    serving.connect(access);
    if (isOfProject(route)) serving.setEnvironment(this.#originEnvironment);
    if (countsRequests(route)) serving.may.allowCounting(access);
    this.functions.set(name, serving.function);
    if (backends.settings.deployment !== 'canary' || !AWAITED.has(name)) return serving.function;
    const alias = serving.function.addAlias('live');
    this.aliases.set(name, alias);
    return functionIn(alias);
  }
}

class ApiDomain extends Construct {
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
    // Domains of HTTP APIs use IPv4 by default (API Gateway, "IP address types"), so one record is enough.
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

/** Paths, queries and addresses are omitted, because they contain keys and ids. */
export const ACCESS_LOG_FORMAT = {
  requestId: '$context.requestId',
  time: '$context.requestTimeEpoch',
  route: '$context.routeKey',
  status: '$context.status',
  bytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  functionLatencyMs: '$context.integrationLatency',
  functionError: '$context.integrationErrorMessage',
  gatewayError: '$context.error.message',
} as const;
