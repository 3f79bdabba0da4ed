/** The input that a route's schema makes of its fields, or what a caller is told of those that do not fit. */

import * as z from 'zod/mini';
import { type Issue, type Refusal, refuse } from '../../shared/contract/errors.ts';
import { inPlainWords } from './request-input.ts';

/** The keys of traits are the sender's own words, which no error quotes. */
function quotablePath(path: readonly PropertyKey[]): string {
  const end = path.indexOf('traits') + 1;
  return (end === 0 ? path : path.slice(0, end)).join('.');
}

function listIssues(error: z.core.$ZodError): Issue[] {
  return error.issues.map(({ path, message }) => ({ path: quotablePath(path), message }));
}

export function parseInput<Schema extends z.ZodMiniType>(
  schema: Schema,
  fields: Readonly<Record<string, unknown>>,
): { readonly input: z.output<Schema> } | Refusal {
  const { success, data, error } = z.safeParse(schema, fields, { error: inPlainWords });
  return success ? { input: data } : refuse('invalid_request', { issues: listIssues(error) });
}
