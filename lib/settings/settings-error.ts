// This file is separate, because the package's declarations may not import zod.

/** The message addresses the person who wrote the settings. */
export class SettingsError extends Error {
  /** Distinguishes it from other errors. */
  override readonly name = 'SettingsError';
}
