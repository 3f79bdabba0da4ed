import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';

const { CANVASS_URL, CANVASS_MINT_KEY_SECRET_ID: SecretId } = process.env;
const secrets = new SecretsManagerClient();
let key;

/** What the page binds thumbs with; none when this person may not be asked, or minting fails. */
async function mint(respondentId, sessionId) {
  key ??= secrets.send(new GetSecretValueCommand({ SecretId }));
  const { SecretString } = await key;
  const minted = await fetch(`${CANVASS_URL}/v1/sdk/tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SecretString}`, 'content-type': 'application/json' },
    body: JSON.stringify({ respondentId, sessionId, surveySlug: 'helpful' }),
  });
  if (!minted.ok) throw new Error(`minting was answered ${minted.status}`);
  return (await minted.json()).bindings.helpful;
}

export async function handler({ userId, sessionId, text }) {
  const binding = await mint(userId, sessionId).catch((error) => {
    key = undefined; // The operator may have put another one in.
    console.error(error);
  });
  return { text: `Your model's reply to: ${text}`, binding };
}
