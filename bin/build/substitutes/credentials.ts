/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda passes credentials in environment variables only;
 * the SDK's other providers are a quarter of a bundle (decision 41).
 */

import { functionCredentials } from '../../../shared/data/aws/aws-call.ts';

export const defaultProvider = () => async () => functionCredentials();
