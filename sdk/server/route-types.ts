/**
 * Routes that a secret key opens, as types: inferred from the route table, so that drift does not compile. The package
 * is built with plain types in this file's place (shared/contract/clients/typescript-types.ts), since its users need no zod.
 */

import type * as z from 'zod/mini';
import type { routes } from '../../shared/contract/routes.ts';

export type { ErrorCode, Issue } from '../../shared/contract/errors.ts';

type Routes = typeof routes;
type Opened = {
  [Name in keyof Routes]: Routes[Name] extends { readonly key: 'secret' } ? Name : never;
}[keyof Routes];

/** What each route takes. */
export type Inputs = { [Name in Opened]: z.output<Routes[Name]['input']> };

/** What each route answers. */
export type Replies = { [Name in Opened]: z.output<Routes[Name]['success']['schema']> };

/** Method and path that a client must send for a route. */
export type Endpoints = { [Name in Opened]: Pick<Routes[Name], 'method' | 'path'> };
