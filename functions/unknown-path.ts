import { refuse } from '../shared/contract/errors.ts';
import { unknownPathRoute } from '../shared/contract/routes.ts';
import { openEndpoint, openOnLambda } from './runtime/open-endpoint.ts';

/** Answers every method and path that no route names, in the shape of our errors. */
export const unknownPath = openEndpoint(unknownPathRoute, async () => refuse('not_found'));

export const handler = openOnLambda(unknownPath);
