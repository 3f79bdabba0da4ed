/** Secrets in AWS Secrets Manager under an operator's identity, however the SDK finds it: profile, SSO, role. */

import {
  GetSecretValueCommand,
  PutSecretValueCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager';

async function withClient<T>(work: (client: SecretsManagerClient) => Promise<T>): Promise<T> {
  const client = new SecretsManagerClient({});
  return work(client).finally(() => client.destroy());
}

/** A secret's text. @throws Error when it has none */
export async function readSecretAsOperator(id: string): Promise<string> {
  const { SecretString } = await withClient((client) =>
    client.send(new GetSecretValueCommand({ SecretId: id })),
  );
  if (SecretString === undefined) throw new Error('a secret of the deployment has no text');
  return SecretString;
}

/** Replaces a secret's text; the version before stays in Secrets Manager as AWSPREVIOUS. */
export async function writeSecretAsOperator(id: string, text: string): Promise<void> {
  await withClient((client) => client.send(new PutSecretValueCommand({ SecretId: id, SecretString: text })));
}
