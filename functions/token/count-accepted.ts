import type { ShowTokenClaims } from '../../shared/domain/show-token.ts';
import type { Count } from '../runtime/pipeline.ts';

/** Counts a stored answer, and whether the page knows the person by another id than the token does. */
export function countAccepted(
  { userId }: { readonly userId?: string | undefined },
  { respondentId }: ShowTokenClaims,
  count: Count,
): void {
  count('accepted');
  if (userId !== undefined && userId !== respondentId) count('respondent_mismatch');
}
