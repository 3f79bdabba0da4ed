type LocalErrorCode =
  | 'binary_missing'
  | 'node_too_old'
  | 'checkpoint_unusable'
  | 'database_unusable'
  | 'emulator_failed'
  | 'emulator_not_ready'
  | 'folder_in_use'
  | 'folder_unusable'
  | 'folder_unwritable'
  | 'port_forbidden'
  | 'port_in_use'
  | 'push_scores_file'
  | 'table_in_use';

/** The message is one line for the terminal. */
export class LocalError extends Error {
  override readonly name = 'LocalError';
  readonly code: LocalErrorCode;

  constructor(code: LocalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
