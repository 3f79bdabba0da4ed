/**
 * 32-bit FNV-1a over the UTF-16 code units of `respondent`, NUL, `survey` (docs/contract.md §6.4). It is the same in
 * every client, so sampling is sticky. A person is in the sample if it is below `samplePercent`, modulo 100.
 */
export function stickyHash(respondent: string, survey: string): number {
  const text = `${respondent}\0${survey}`;
  let hash = 0x811c9dc5;
  for (const unit of text.split('')) hash = Math.imul(hash ^ unit.charCodeAt(0), 0x01000193);
  return hash >>> 0;
}

interface Choice {
  readonly code: string;
  readonly words?: boolean | undefined;
}

/** The order in which one person sees the choices (docs/contract.md §6.10). Those that ask for words are last. */
export function orderedFor<Each extends Choice>(
  choices: readonly Each[],
  respondent: string,
  surveyId: string,
): Each[] {
  // The code is first, because the last characters change only the lowest bits much.
  const rankOf = ({ code, words }: Choice): number =>
    stickyHash(`${code}\0${respondent}`, surveyId) + (words ? 2 ** 32 : 0);
  return [...choices].sort((a, b) => rankOf(a) - rankOf(b));
}
