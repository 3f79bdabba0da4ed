import { afterAll } from 'vitest';
import type { Endpoint } from '../../../functions/runtime/endpoint.ts';
import { unknownPath } from '../../../functions/unknown-path.ts';
import { loadEndpoints } from '../../../local/endpoints.ts';
import { type Gateway, startGateway } from '../../../local/gateway.ts';
import { CORS, pathsOf } from '../../../shared/contract/route.ts';
import { createTestService, type TestService } from './test-service.ts';

export async function serveService({ service }: TestService): Promise<Gateway> {
  const target = (endpoint: Endpoint) => ({
    handler: endpoint.create(service),
    functionName: endpoint.route.name,
  });
  return startGateway({
    routes: (await loadEndpoints()).flatMap((endpoint) =>
      pathsOf(endpoint.route).map((at) => ({ ...at, ...target(endpoint) })),
    ),
    fallback: target(unknownPath),
    cors: { ...CORS, maxAge: CORS.maxAgeSeconds },
    port: 0,
  });
}

export async function useServedService(...options: Parameters<typeof createTestService>) {
  const service = await createTestService(...options);
  const gateway = await serveService(service);
  afterAll(() => gateway.stop(0));
  return { service, gateway };
}
