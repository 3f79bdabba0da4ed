import type { Policy } from '../../../bin/admin/iam/operate-statements.ts';

export interface Request {
  readonly action: string;
  readonly resource: string;
}

const patterns = new Map<string, RegExp>();

function matches(pattern: string, text: string): boolean {
  const escaped = () => pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&');
  const known =
    patterns.get(pattern) ?? new RegExp(`^${escaped().replaceAll('*', '.*').replaceAll('?', '.')}$`);
  patterns.set(pattern, known);
  return known.test(text);
}

/** Whether a statement allows the request. These policies have no conditions and deny nothing. */
export const isAllowed = (policies: readonly Policy[], { action, resource }: Request): boolean =>
  policies
    .flatMap(({ Statement }) => Statement)
    .some(
      ({ Action, Resource }) =>
        Action.some((pattern) => matches(pattern, action)) &&
        Resource.some((pattern) => matches(pattern, resource)),
    );
