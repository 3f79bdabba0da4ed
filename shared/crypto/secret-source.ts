/** The deployment's secrets, and where they come from: Secrets Manager, or the data folder of a local run. */

import type { TokenRing } from './token-ring.ts';

export interface SecretSource {
  /** At least 32 bytes that never rotate: losing them would lose every suppression. */
  readHashSecret(): Promise<Uint8Array>;
  readTokenRing(): Promise<TokenRing>;
}
