import { createServer, type RequestListener } from 'node:http';
import { onTestFinished } from 'vitest';
import { listen } from '../../local/listen.ts';

export async function serve(answer: RequestListener) {
  const server = createServer(answer);
  const url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url, stop };
}

export async function serveInTest(answer: RequestListener): Promise<string> {
  const { url, stop } = await serve(answer);
  onTestFinished(stop);
  return url;
}
