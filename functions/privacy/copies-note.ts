const THEIRS = 'Copies that were delivered to other systems are not reached; erase them there';

/** What becomes of copies elsewhere. @param withdrawals scores that the adapter deletes where it delivered them */
export function copiesNote(withdrawals: number): string {
  if (withdrawals === 0) return `${THEIRS}.`;
  const scores = withdrawals === 1 ? '1 score' : `${withdrawals} scores`;
  return `${THEIRS}, except ${scores} being withdrawn from where the score adapter has delivered.`;
}

/** The same where nothing is counted yet. */
export const COPIES_OF_ACCOUNT = `${THEIRS}, except scores being withdrawn from where the score adapter has delivered: the record of the purge counts them.`;
