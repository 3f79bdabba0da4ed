/** What a command could not do; the message is one line for the operator. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly exitStatus: 1 | 2;

  constructor(exitStatus: 1 | 2, message: string, options?: ErrorOptions) {
    super(message, options);
    this.exitStatus = exitStatus;
  }
}

/** A wrong flag or file: exit status 2. */
export const misuse = (message: string): AdminError => new AdminError(2, message);

/** The request was right and could not be carried out: exit status 1. */
export const failure = (message: string, cause?: unknown): AdminError =>
  new AdminError(1, message, { cause });

export const noProject = (projectId: string): AdminError =>
  failure(`There is no project ${projectId}, or it is being purged.`);
