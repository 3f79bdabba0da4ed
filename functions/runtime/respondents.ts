/** Respondents by their ids: hashing in front of the answer store, so that handlers never see a hash. */

import { respondentHash } from '../../shared/crypto/identity-hash.ts';
import { responseId } from '../../shared/crypto/response-id.ts';
import type { Vault } from '../../shared/crypto/secret-cache.ts';
import type { AnswerStore, RedeemOutcome } from '../../shared/data/answers/answer-store.ts';
import type { Answer } from '../../shared/domain/answer.ts';
import type { History } from '../../shared/domain/eligibility.ts';
import type { ShowTokenClaims } from '../../shared/domain/show-token.ts';

export interface Respondents {
  /** One query. */
  history(projectId: string, respondentId: string): Promise<History>;
  /** The id that the answer to this token has. */
  answerId(projectId: string, claims: ShowTokenClaims): Promise<string>;
  /** One conditional write. */
  redeem(answer: Answer): Promise<RedeemOutcome>;
}

export function createRespondents(store: AnswerStore, vault: Vault): Respondents {
  return {
    async history(projectId, respondentId) {
      return store.history(projectId, respondentHash(await vault.hashSecret(), projectId, respondentId));
    },
    async answerId(projectId, { tokenId, respondentId }) {
      const secret = await vault.hashSecret();
      return responseId(secret, projectId, {
        tokenId,
        respondentHash: respondentHash(secret, projectId, respondentId),
      });
    },
    async redeem(answer) {
      return store.redeem(
        answer,
        respondentHash(await vault.hashSecret(), answer.projectId, answer.respondentId),
      );
    },
  };
}
