import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { CORS, pathsOf, type Route } from '../../shared/contract/route.ts';
import { ROUTES, unknownPathRoute } from '../../shared/contract/routes.ts';
import { PURGE_STEPS } from '../../shared/purge/state-machine.ts';
import { aTemplate } from '../support/stack/synthesised-stack.ts';

const SERVED: readonly Route[] = [...ROUTES, unknownPathRoute];

describe('the gateway', () => {
  const template = aTemplate();

  it('serves every path of the route table and the default route, and no other', () => {
    const keys = Object.values(template.findResources('AWS::ApiGatewayV2::Route')).map(
      ({ Properties }) => Properties.RouteKey,
    );
    const expected = ROUTES.flatMap(pathsOf).map(({ method, path }) => `${method} ${path}`);
    expect(keys.sort()).toEqual([...expected, '$default'].sort());
  });

  it('has one function per route, one for the stream and those of the purge; aliases share a function', () => {
    const steps = Object.keys(PURGE_STEPS).length;
    template.resourceCountIs('AWS::Lambda::Function', SERVED.length + 1 + steps);
    const targets = (key: string) =>
      Object.values(
        template.findResources('AWS::ApiGatewayV2::Route', { Properties: { RouteKey: key } }),
      ).map(({ Properties }) => Properties.Target);
    expect(targets('GET /v1/definitions')).toEqual(targets('POST /v1/sdk/bootstrap'));
  });

  it.each(SERVED)('$name: has the throttle of its route on every path', (route) => {
    const { rate, burst } = route.throttle;
    const limits = { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst };
    const keys = pathsOf(route).map(({ method, path }) => (path === '$default' ? path : `${method} ${path}`));
    const RouteSettings = Object.fromEntries(keys.map((key) => [key, limits]));
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', { RouteSettings });
  });

  it('applies the stage’s throttle instead of the route’s', () => {
    aTemplate({ throttles: { bootstrap: { rate: 5, burst: 9 } } }).hasResourceProperties(
      'AWS::ApiGatewayV2::Stage',
      {
        RouteSettings: {
          'GET /v1/definitions': { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 9 },
        },
      },
    );
  });

  it('creates the routes before the stage settings that refer to them', () => {
    const routes = Object.keys(template.findResources('AWS::ApiGatewayV2::Route'));
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    expect(stage?.DependsOn).toEqual(expect.arrayContaining(routes));
    expect(stage?.Properties).toMatchObject({ StageName: '$default', AutoDeploy: true });
  });

  it('allows GET and POST from any origin, with content-type and trace headers, without authorization', () => {
    expect(CORS.allowHeaders).toEqual(expect.arrayContaining(['content-type', 'traceparent', 'baggage']));
    expect(CORS.allowHeaders).not.toContain('authorization');
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', {
      CorsConfiguration: {
        AllowOrigins: ['*'],
        AllowMethods: ['GET', 'POST'],
        AllowHeaders: [...CORS.allowHeaders],
        ExposeHeaders: ['retry-after', 'x-request-id'],
        AllowCredentials: Match.absent(),
        MaxAge: 7_200,
      },
    });
  });

  it('logs no path, query, header or address', () => {
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
    const format: string = stage?.Properties.AccessLogSettings.Format;
    const variables = [...format.matchAll(/\$context\.[A-Za-z.]+/g)].map(([variable]) => variable);
    expect(variables.length).toBeGreaterThan(0);
    for (const variable of variables) expect(variable).not.toMatch(/path|query|identity|header|authorizer/i);
  });
});
