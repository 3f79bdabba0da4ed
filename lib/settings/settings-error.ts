// Separate, because the package's declarations may not import zod.

/** Invalid settings. The message is for the person who wrote them. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
