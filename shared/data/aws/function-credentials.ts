/**
 * Replaces in the bundles `@aws-sdk/credential-provider-node`: Lambda gives a function its credentials by environment
 * variables and nothing else, and the SDK's search through profiles, single sign-on and metadata services is a quarter of a
 * bundle (docs/decisions/0041-cold-start.md).
 */

interface FunctionCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** What the environment of the process says; empty texts where it says nothing. */
export function functionCredentials(): FunctionCredentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  return {
    accessKeyId: AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: AWS_SECRET_ACCESS_KEY ?? '',
    ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
  };
}

/** Under the name by which SDK clients import it. */
export const defaultProvider = () => async () => functionCredentials();
