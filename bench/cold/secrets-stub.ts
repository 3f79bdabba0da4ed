import { createServer } from 'node:http';
import { listen } from '../../local/listen.ts';

const GENERATED = 'x9'.repeat(32);

/** Secrets Manager, as far as GetSecretValue of the two secrets, as CloudFormation generates them. */
export async function startSecretsStub(): Promise<{ endpoint: string; stop: () => void }> {
  const values: Readonly<Record<string, string>> = {
    'arn:hash': GENERATED,
    'arn:ring': JSON.stringify({ keys: [], initial: GENERATED }),
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { SecretId } = JSON.parse(body);
    response.setHeader('content-type', 'application/x-amz-json-1.1');
    response.end(JSON.stringify({ Name: SecretId, SecretString: values[SecretId] }));
  });
  const port = await listen(server, 0, '127.0.0.1');
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
