import type { Server } from 'node:net';
import { LocalError } from './local-error.ts';

/**
 * @param port 0 selects a free one
 * @throws {LocalError} `port_in_use`, `port_forbidden`
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') {
        reject(new LocalError('port_in_use', `Port ${port} is already in use.`, { cause }));
      } else if (cause.code === 'EACCES') {
        reject(new LocalError('port_forbidden', `Port ${port} may not be used by this user.`, { cause }));
      } else reject(cause);
    });
    server.listen(port, host, () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
