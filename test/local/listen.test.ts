import { Server } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from '../../local/listen.ts';

/** Root may use every port, so the refusal has to be made up. */
class ForbiddenServer extends Server {
  override listen() {
    queueMicrotask(() => this.emit('error', Object.assign(new Error('listen EACCES'), { code: 'EACCES' })));
    return this;
  }
}

test('a port the user may not have is a typed error', async () => {
  await expect(listen(new ForbiddenServer(), 80, '127.0.0.1')).rejects.toMatchObject({
    code: 'port_forbidden',
    message: expect.stringContaining('80'),
  });
});
