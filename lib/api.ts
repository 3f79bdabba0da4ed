import { Duration, RemovalPolicy, Validations } from 'aws-cdk-lib';
import {
  CfnStage,
  CorsHttpMethod,
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { CORS } from '../shared/contract/http.ts';
import { type Path, pathsOf, type Route } from '../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../shared/contract/routes.ts';
import { ACCESS_LOG_FORMAT } from './access-log-format.ts';
import { EdgeOrigin } from './edge-origin.ts';
import { type Backends, ServiceFunction } from './service-function.ts';

const SERVED: readonly Route[] = [...ROUTES, unknownPathRoute];

const PUBLIC = 'Anyone may ask this: it tells nothing of any project.';
const KEY_CHECKED_BEHIND =
  'The function checks the key: a publishable one stands in query or body, where no authoriser of the gateway looks (docs/contract.md §5.1).';

function routeKeyOf({ method, path }: Path): HttpRouteKey {
  return path === unknownPathRoute.path ? HttpRouteKey.DEFAULT : HttpRouteKey.with(path, HttpMethod[method]);
}

/** The HTTP API: every path of the route table, one function a route, and a function for all other paths. */
export class ServiceApi extends Construct {
  readonly url: string;
  readonly apiId: string;
  readonly #originEnvironment: Readonly<Record<string, string>>;
  /** By route name. */
  readonly functions = new Map<string, IFunction>();

  constructor(scope: Construct, id: string, backends: Backends) {
    super(scope, id);
    const { name, stage: stageName, logRetentionDays, throttles, edge } = backends.settings;
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
    this.url = edge === undefined || edge.open ? api.apiEndpoint : `https://${edge.domainName}`;
    this.apiId = api.apiId;

    const accessLog = new LogGroup(this, 'AccessLog', {
      logGroupName: `/aws/vendedlogs/${name}/${stageName}/access`,
      retention: logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
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

    for (const route of SERVED) {
      const integration = new HttpLambdaIntegration(route.name, this.#serve(route, backends).function);
      const { rate, burst } = throttles[route.name] ?? route.throttle;
      for (const path of pathsOf(route)) {
        const routeKey = routeKeyOf(path);
        const { key } = routeKey;
        const gatewayRoute = new HttpRoute(this, key, { httpApi: api, routeKey, integration });
        Validations.of(gatewayRoute).acknowledge({
          id: 'AwsSolutions-APIG4',
          reason: route.key === undefined ? PUBLIC : KEY_CHECKED_BEHIND,
        });
        // A stage's settings may only name routes that exist.
        stage.node.addDependency(gatewayRoute);
        routeSettings[key] = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
      }
    }
  }

  #serve({ name, timeoutSeconds, access, key }: Route, backends: Backends): ServiceFunction {
    const serving = new ServiceFunction(this, name, { name, timeoutSeconds, settings: backends.settings });
    serving.connect(access, backends);
    if (key !== undefined) serving.allowCounting(backends);
    for (const [variable, value] of Object.entries(this.#originEnvironment)) {
      serving.function.addEnvironment(variable, value);
    }
    this.functions.set(name, serving.function);
    return serving;
  }
}
