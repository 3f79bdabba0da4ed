import type { Route } from '../../shared/contract/route.ts';
import type { CallOptions } from './test-service.ts';

/** The route's documented example with this key, or with none; a cursor cannot be made up. */
export function exampleRequest(route: Route, key: string | undefined): CallOptions {
  const {
    key: _example,
    cursor: _cursor,
    ...input
  } = { ...(route.examples?.input as Record<string, unknown>) };
  const isSecret = route.key === 'secret';
  const query = {
    ...(route.body !== true &&
      Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]))),
    ...(!isSecret && key !== undefined && { key }),
  };
  return {
    query,
    ...(route.body === true && { body: input }),
    ...(isSecret && key !== undefined && { secretKey: key }),
  };
}
