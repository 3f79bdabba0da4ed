import { type ErrorCode, MESSAGE_OF, type Refusal } from '../errors.ts';
import { recorded } from './sdk-examples.ts';

const REFUSED_WITH: Partial<Record<ErrorCode, Omit<Refusal, 'refused'>>> = {
  invalid_request: {
    issues: [{ path: 'surveyId', message: 'is required' }],
  },
  token_used: { details: { id: recorded.id, at: recorded.at, kind: 'response' } },
  revision_conflict: { details: { revision: 2 } },
};

/** The body with which a refusal of this code is answered. */
export function refusalExample(code: ErrorCode): object {
  const { issues, details } = REFUSED_WITH[code] ?? {};
  return {
    error: {
      code,
      message: MESSAGE_OF[code],
      requestId: 'f3a1c2d4-5b6e-4f70-8a91-b2c3d4e5f607',
      ...(issues !== undefined && { issues }),
      ...(details !== undefined && { details }),
    },
  };
}
