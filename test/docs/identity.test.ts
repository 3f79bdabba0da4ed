/** Runs the server code of docs/identity.md unchanged. */

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bootstrap } from '../../functions/bootstrap.ts';
import { identitySecretOf } from '../support/fixtures/user-tokens.ts';
import { createTestService } from '../support/service/test-service.ts';

const ROOT = join(import.meta.dirname, '../..');
const guide = readFileSync(join(ROOT, 'docs/identity.md'), 'utf8');
const [, snippet = ''] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];

it('Node: the service accepts the token', async () => {
  const service = await createTestService();
  const tenant = await service.tenant({ identity: 'required' });
  const secret = await identitySecretOf(service, tenant);
  // The code signs tokens for ten minutes by the machine's clock.
  service.clock.advance(Date.now() - service.clock.now());
  const program = `${snippet}\nprocess.stdout.write(await userTokenFor('ann'));`;
  const userToken = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: ROOT,
    env: { ...process.env, CANVASS_IDENTITY_SECRET: secret },
    encoding: 'utf8',
  });
  const body = { key: tenant.publishableKey, userToken };
  const reply = await service.call(bootstrap, { body });
  expect(Object.keys(reply.body.showTokens)).toEqual(tenant.surveys.map(({ id }) => id));
});
