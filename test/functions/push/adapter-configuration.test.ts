import { expect, it } from 'vitest';
import { ConfigurationError, readPushEntries } from '../../../functions/push/adapter-configuration.ts';

const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const KEY = 'svc_sk_p1_c2VjcmV0';
const langfuse = {
  type: 'langfuse',
  baseUrl: 'https://cloud.langfuse.com',
  publicKey: 'pk-lf-x',
  secretKey: 'sk-lf-very-secret',
};
const webhook = { type: 'webhook', url: 'https://hooks.test/canvass', secret: SECRET };
const read = (list: unknown) => readPushEntries(JSON.stringify(list), Date.now);

it('names each project, its destination with credentials, and its pace', () => {
  const jobs = read([
    {
      projectId: 'p1',
      destination: { ...langfuse, name: 'x.{slug}', environment: 'prod', includeText: false },
    },
    { serviceKey: 'svc_sk_p2_c2Vj', destination: webhook, concurrency: 8, requestsPerMinute: 600 },
  ]);
  expect(jobs).toMatchObject([
    { projectId: 'p1', destination: { name: 'langfuse' } },
    { projectId: 'p2', destination: { name: 'webhook' }, concurrency: 8, requestsPerMinute: 600 },
  ]);
  expect(jobs[0]).not.toHaveProperty('requestsPerMinute');
  expect(read([])).toEqual([]);
});

it('accepts older lists with service keys, for the projects of those keys', () => {
  const [job] = read([{ serviceKey: KEY, destination: webhook }]);
  expect(job).toMatchObject({ projectId: 'p1' });
  expect(job).not.toHaveProperty('serviceKey');
});

it.each([
  ['invalid JSON', 'nonsense', /not JSON/],
  ['a value that is no list', {}, /expected array/],
  [
    'a publishable key',
    [{ serviceKey: 'svc_pk_p1_x', destination: webhook }],
    /0\.serviceKey: must be a secret key/,
  ],
  ['no project', [{ destination: webhook }], /0\.projectId: is missing/],
  ['an invalid id', [{ projectId: 'P 1', destination: webhook }], /0\.projectId: must be the id/],
  ['an unknown destination', [{ serviceKey: KEY, destination: { type: 'pigeon' } }], /0\.destination/],
  ['an unknown setting', [{ serviceKey: KEY, destination: webhook, pace: 3 }], /pace/],
  [
    'credentials missing',
    [{ serviceKey: KEY, destination: { ...langfuse, publicKey: '' } }],
    /0\.destination\.publicKey/,
  ],
  [
    'an invalid URL',
    [{ serviceKey: KEY, destination: { ...webhook, url: 'ftp://x' } }],
    /0\.destination\.url: must be/,
  ],
  [
    'an unknown placeholder',
    [{ serviceKey: KEY, destination: { ...langfuse, name: '{x}' } }],
    /0\.destination\.name/,
  ],
  ['an environment', [{ serviceKey: KEY, destination: { ...langfuse, environment: 'Prod' } }], /environment/],
  [
    'a webhook secret',
    [{ serviceKey: KEY, destination: { ...webhook, secret: 'hush-hush' } }],
    /0\.destination: a webhook secret/,
  ],
  ['no concurrency', [{ serviceKey: KEY, destination: webhook, concurrency: 0 }], /0\.concurrency/],
  [
    'a project twice',
    [
      { serviceKey: KEY, destination: webhook },
      { serviceKey: KEY, destination: langfuse },
    ],
    /1\.projectId: appears twice in the list/,
  ],
])('reports the name of an invalid field without credentials: %s', (_name, list, message) => {
  const attempt = () => (list === 'nonsense' ? readPushEntries('{"very', Date.now) : read(list));
  expect(attempt).toThrow(ConfigurationError);
  expect(attempt).toThrow(message);
  expect(attempt).not.toThrow(/very-secret|hush-hush|whsec_[A-Z]/);
});
