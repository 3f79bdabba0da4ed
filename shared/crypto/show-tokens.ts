import type { SessionIds } from '../domain/answers/answer.ts';
import { composeTokenId, TOKEN_ID_RANDOM_BYTES } from './ids.ts';
import type { SecretCache } from './secret-cache.ts';
import {
  createSealer,
  type Grant,
  parseShowToken,
  SALT_BYTES,
  type SealedShowToken,
  type UnsealedShowToken,
  unsealShowToken,
} from './show-token-seal.ts';

/** Only tokens of one observation share an id. */
type Granted = Omit<Grant, 'tokenId'> & { readonly tokenId?: string | undefined };

interface LinkGrant extends Granted {
  /** The link's expiry minus the project's token lifetime. */
  readonly countsAsIssuedAt: number;
}

export interface ShowTokens {
  /** @throws RangeError if the token exceeds 1,024 characters, which ids within the contract's limits cannot cause */
  issue(projectId: string, grants: readonly Granted[], now: number, session?: SessionIds): Promise<string[]>;
  /** @returns undefined if the token exceeds 1,024 characters */
  issueLink(
    projectId: string,
    grant: LinkGrant,
    session: SessionIds | undefined,
  ): Promise<string | undefined>;
  unseal(projectId: string, token: string): Promise<UnsealedShowToken | undefined>;
  unsealLink(token: string): Promise<UnsealedLink | undefined>;
}

interface UnsealedLink extends UnsealedShowToken {
  readonly projectId: string;
}

interface ShowTokenOptions {
  readonly secrets: SecretCache;
  readonly stage: string;
  readonly random: (bytes: number) => Uint8Array;
}

export function createShowTokens({ secrets, stage, random }: ShowTokenOptions): ShowTokens {
  async function unseal(projectId: string, sealed: SealedShowToken): Promise<UnsealedShowToken | undefined> {
    const key = await secrets.findKey(sealed.keyId);
    return key === undefined ? undefined : unsealShowToken(sealed, { stage, projectId }, key);
  }

  return {
    async issue(projectId, grants, now, session) {
      if (grants.length === 0) return [];
      const entropy = random(SALT_BYTES + TOKEN_ID_RANDOM_BYTES * grants.length);
      const salt = entropy.subarray(0, SALT_BYTES);
      const seal = createSealer(await secrets.sealingKey(), { stage, projectId }, salt, { session });
      return grants.map((grant, index) => {
        const start = SALT_BYTES + index * TOKEN_ID_RANDOM_BYTES;
        const fresh = composeTokenId(now, entropy.subarray(start, start + TOKEN_ID_RANDOM_BYTES));
        const token = seal({ ...grant, tokenId: grant.tokenId ?? fresh });
        if (token === undefined) throw new RangeError('a show-token is too long');
        return token;
      });
    },

    async issueLink(projectId, { countsAsIssuedAt, ...grant }, session) {
      const entropy = random(SALT_BYTES + TOKEN_ID_RANDOM_BYTES);
      const salt = entropy.subarray(0, SALT_BYTES);
      const scope = { stage, projectId };
      const seal = createSealer(await secrets.sealingKey(), scope, salt, { session, isLink: true });
      const fresh = composeTokenId(countsAsIssuedAt, entropy.subarray(SALT_BYTES));
      return seal({ ...grant, tokenId: grant.tokenId ?? fresh });
    },

    async unseal(projectId, token) {
      const sealed = parseShowToken(token);
      return sealed && unseal(projectId, sealed);
    },

    async unsealLink(token) {
      const sealed = parseShowToken(token);
      if (sealed?.projectId === undefined) return undefined;
      const unsealed = await unseal(sealed.projectId, sealed);
      return unsealed && { ...unsealed, projectId: sealed.projectId };
    },
  };
}
