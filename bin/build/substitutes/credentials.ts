/**
 * Replaces in the bundles `@aws-sdk/credential-provider-node`: Lambda gives a function its credentials by environment
 * variables and nothing else, and the SDK's search through profiles, single sign-on and metadata services is a quarter of a
 * bundle (decision 41).
 */

import { functionCredentials } from '../../../shared/data/aws/signed-post.ts';

/** Under the name by which SDK clients import it. */
export const defaultProvider = () => async () => functionCredentials();
