import type { Endpoint } from '../functions/runtime/endpoint.ts';
import { ROUTES } from '../shared/contract/routes.ts';

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'route' in value && 'create' in value;

/** @throws Error if a file exports no endpoint */
export async function loadEndpoints(): Promise<readonly Endpoint[]> {
  return Promise.all(
    ROUTES.map(async ({ name }) => {
      const exported: object = await import(`../functions/${name}.ts`);
      const endpoint = Object.values(exported).find(isEndpoint);
      if (endpoint === undefined) throw new Error(`functions/${name}.ts exports no endpoint`);
      return endpoint;
    }),
  );
}
