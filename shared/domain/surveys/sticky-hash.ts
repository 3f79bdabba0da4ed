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
