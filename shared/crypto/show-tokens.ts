/** Issuing and opening show-tokens with the deployment's key ring. */

import type { SessionIds } from '../domain/answer.ts';
import type { SecretCache } from './secret-cache.ts';
import { parseShowToken, SALT_BYTES } from './show-token-form.ts';
import { createSealer, type Grant, type OpenedShowToken, openShowToken } from './show-token-seal.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from './token-id.ts';

export interface ShowTokens {
  /**
   * Seals one token per grant, each with a fresh id, all bound to the session where one is given; writes nothing.
   */
  issue(
    projectId: string,
    grants: readonly Omit<Grant, 'tokenId'>[],
    now: number,
    session?: SessionIds,
  ): Promise<string[]>;
  /** Undefined when the token is malformed, forged, or of another project or environment. */
  open(projectId: string, token: string): Promise<OpenedShowToken | undefined>;
}

interface ShowTokenOptions {
  readonly secrets: SecretCache;
  readonly stage: string;
  readonly random: (bytes: number) => Uint8Array;
}

export function createShowTokens({ secrets, stage, random }: ShowTokenOptions): ShowTokens {
  return {
    async issue(projectId, grants, now, session) {
      if (grants.length === 0) return [];
      const entropy = random(SALT_BYTES + TOKEN_ID_RANDOM_BYTES * grants.length);
      const salt = entropy.subarray(0, SALT_BYTES);
      const seal = createSealer(await secrets.sealingKey(), { stage, projectId }, salt, session);
      return grants.map((grant, index) => {
        const start = SALT_BYTES + index * TOKEN_ID_RANDOM_BYTES;
        const tokenId = composeTokenId(now, entropy.subarray(start, start + TOKEN_ID_RANDOM_BYTES));
        return seal({ ...grant, tokenId });
      });
    },

    async open(projectId, token) {
      const sealed = parseShowToken(token);
      if (sealed === undefined) return undefined;
      const key = await secrets.findKey(sealed.keyId);
      return key === undefined ? undefined : openShowToken(sealed, { stage, projectId }, key);
    },
  };
}
