/**
 * Lambda only passes credentials in the environment; the SDK's other providers are a quarter of a bundle (decision 41).
 */

import { functionCredentials } from '../../../shared/data/aws/aws-call.ts';

export const defaultProvider = () => async () => functionCredentials();
