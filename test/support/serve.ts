import { createServer, type RequestListener } from 'node:http';
import { createConnection } from 'node:net';
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

export function isListening(endpoint: string): Promise<boolean> {
  const { hostname, port } = new URL(endpoint);
  return new Promise((resolve) => {
    const socket = createConnection(Number(port), hostname);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
