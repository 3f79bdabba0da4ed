import { describe, expect, it } from 'vitest';
import { runInProcess } from '../../support/admin-cli.ts';

/** Invalid flags are refused before a deployment is opened. */
const run = (...args: string[]) => runInProcess(args);

const CREATE = ['project', 'create', '--name', 'x'];

const WRONG: readonly (readonly [readonly string[], string])[] = [
  [['project', 'create', '--nme', 'x'], "unknown option '--nme' (Did you mean --name?)"],
  [[...CREATE, '--lcal'], "unknown option '--lcal' (Did you mean --local?)"],
  [['project', 'crate'], "unknown command 'crate' (Did you mean create?)"],
  [['projct', 'list'], "unknown command 'projct' (Did you mean project?)"],
  [['project', 'create'], '--name <name> is required'],
  [['survey', 'apply', '--project', 'p'], '--file <file> is required'],
  [['import'], '--project <id>, --survey <slug>, and --file <file> are required'],
  [['import', '--project', 'p', '--colum', 'id=ID'], "unknown option '--colum' (Did you mean --column?)"],
  [['purge', 'status'], '--project <id> is required'],
  [['purge', 'stats'], "unknown command 'stats' (Did you mean status?)"],
  [['erasures', 'replay'], '--since <time> is required'],
  [['erasures', 'replay', '--since', 'yesterday'], 'Write a time such as 2026-11-20T09:30:00Z'],
  [['token-key', 'rotat'], "unknown command 'rotat' (Did you mean rotate?)"],
  [['token-key', 'list', '--jsn'], "unknown option '--jsn' (Did you mean --json?)"],
  [['project', 'update', 'p', '--local'], 'Nothing to change. Give a setting'],
  [['project', 'show', ''], 'an argument is empty'],
  [['key', 'list', '--project', ''], '--project is empty'],
  [['survey', 'apply', '--project', 'p', '--file', ''], '--file is empty'],
  [['project', 'list', '--stack', ''], '--stack is empty'],
  [['project', 'list', '--local', '--data', ''], '--data is empty'],
  [['key', 'create', '--kind', 'secret'], '--project <id> is required'],
  [['key', 'create', '--project', 'p', '--kind', 'private'], 'Allowed choices are publishable, secret'],
  ...['key create --kind reader', 'results link', 'console link'].flatMap((command) =>
    [
      ['0', '1s to 3650d'],
      ['3651d', '1s to 3650d'],
      ['99999999d', '1s to 3650d'],
      ['soon', 'as 30s, 15m, 12h or 7d'],
    ].map(
      ([expires = '', reason = '']) =>
        [[...command.split(' '), '--project', 'p', '--expires', expires], reason] as const,
    ),
  ),
  [['survey', 'show', '--project', 'p'], "missing required argument 'slug'"],
  [['project', 'show', 'a', 'b'], 'too many arguments'],
  [[...CREATE, '--name'], "option '--name <name>' argument missing"],
  [['project', 'create', '--name', ' '], '1 to 100 characters'],
  [['project', 'create', '--name', 'a\nb'], '1 to 100 characters'],
  [[...CREATE, '--display-name', '😀'.repeat(61)], '1 to 60 characters'],
  [[...CREATE, '--display-name', ' '], '1 to 60 characters'],
  [[...CREATE, '--display-name', 'a\u0085b'], '1 to 60 characters'],
  [[...CREATE, '--display-name', 'a\u202eb'], '1 to 60 characters'],
  [['project', 'create', '--name', 'a\u202eb'], '1 to 100 characters'],
  ...['0a7', '#0a', '#00aa777', 'green', '#0a7;'].map(
    (accent) => [[...CREATE, '--accent', accent], '#rgb or #rrggbb'] as const,
  ),
  [[...CREATE, '--quiet-period', '7 days'], 'as 30s, 15m, 12h or 7d'],
  [[...CREATE, '--quiet-period', '9999999d'], '0 to 3650d'],
  [[...CREATE, '--token-lifetime', '0'], '1s to 30d'],
  [[...CREATE, '--token-lifetime', '31d'], '1s to 30d'],
  [[...CREATE, '--link-lifetime', '31d'], '1s to 30d'],
  [[...CREATE, '--types-unless-said', 'thumbs'], 'Allowed choices are first-four, all'],
  [[...CREATE, '--monthly-cap=-1'], 'a whole number from 0'],
  [[...CREATE, '--monthly-cap', '2.5'], 'a whole number from 0'],
  [[...CREATE, '--rate-secret', 'many'], 'a whole number from 0'],
  [[...CREATE, '--monthly-quota', '99999999999'], 'a whole number from 0'],
  [[...CREATE, '--allowed-origins', ''], 'write any'],
  ...[
    'shop.example',
    'https://shop.example/path',
    'https://*.shop.example',
    'https://a:b@shop.example',
    'https://shop.example?',
    'https://shop.example#',
    'https://shop.example,',
    'https://shop.example:99999',
    'null',
  ].map((origin) => [[...CREATE, '--allowed-origins', origin], 'https://host or https://host:port'] as const),
  [CREATE, 'Choose a deployment: --stack NAME'],
  [[...CREATE, '--local', '--stack', 's'], 'either --stack or --local'],
  [[...CREATE, '--stack', 's', '--data', 'd'], '--data requires --local'],
];

describe('a wrong flag', () => {
  it.each(WRONG)('exits with 2 and one line for %j', async (args, reason) => {
    const { status, stdout, stderr } = await run(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^error: [^\n]+\n$/);
    expect(stderr).toContain(reason);
  });
});

describe('help', () => {
  it('lists every flag and exits with 0', async () => {
    const { status, stdout } = await run('project', 'update', '--help');
    expect(status).toBe(0);
    for (const flag of ['--allowed-origins', '--rate-address', '--stack', '--local', '--json'])
      expect(stdout).toContain(flag);
  });
});
