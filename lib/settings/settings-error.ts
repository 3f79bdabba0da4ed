// This file is separate, because the package's declarations may not import zod.

/** The message addresses the person who wrote the settings. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}
