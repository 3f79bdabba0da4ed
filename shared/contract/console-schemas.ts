/** Sign-in to the console (docs/contract.md §20). */

import * as z from 'zod/mini';
import { once } from '../domain/memory.ts';
import { identifier } from './fields.ts';

export const signInInput = once(() =>
  z.object({ project: identifier().check(z.meta({ description: 'Id of the project.' })) }),
);

export const signInReply = once(() =>
  z.object({
    project: z.object({ id: z.string(), name: z.string(), accent: z.nullable(z.string()) }),
    issuer: z.string(),
    clientId: z.string(),
    authorizationEndpoint: z.string(),
    tokenEndpoint: z.string(),
    scope: z.string().check(z.meta({ description: 'What to ask for, separated by blanks.' })),
  }),
);
