/** What is wrong with the settings, in words for the person who wrote them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
