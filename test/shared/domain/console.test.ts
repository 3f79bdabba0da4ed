import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ConsoleProvider,
  isEntra,
  parseMember,
  personName,
  roleOf,
} from '../../../shared/domain/console.ts';

const provider: ConsoleProvider = {
  issuer: 'https://issuer.example',
  clientId: 'console',
  authorizationEndpoint: 'https://issuer.example/authorize',
  tokenEndpoint: 'https://issuer.example/token',
  jwks: 'https://issuer.example/keys',
  scope: 'openid',
};
const entra = { ...provider, issuer: 'https://login.microsoftonline.com/1f2e/v2.0' };

const isViewer = (members: readonly string[], claims: object, of = provider, consoleGroupsClaim?: string) =>
  roleOf({ consoleViewers: members, consoleGroupsClaim }, of, { ...claims }) === 'viewer';
const mail = (email: unknown, email_verified: unknown = true) => ({ email, email_verified });

describe('list entries', () => {
  it.each([
    ['group:research', 'group:research'],
    [' group:Product Team ', 'group:Product Team'],
    ['group:*', 'group:*'],
    ['Ann.Lee+x@Example.COM', 'ann.lee+x@example.com'],
    ['*@Example.com', '*@example.com'],
  ])('accepts %s', (text, member) => {
    expect(parseMember(text)).toBe(member);
  });

  it.each([
    '',
    'group:',
    'research',
    '*',
    '@example.com',
    '*@*',
    '*@example',
    'a*@example.com',
    '**@example.com',
    '*@*.example.com',
    'ann@exa mple.com',
    'ann@-example.com',
    'ann@example.com.',
    'a@b@example.com',
    'jörg@example.com',
    'ann@exámple.com',
    '"a b"@example.com',
    `group:${'x'.repeat(300)}`,
    'group:a\nb',
    'group:\ud800',
  ])('refuses %s', (text) => {
    expect(parseMember(text)).toBeUndefined();
  });
});

describe('groups', () => {
  it('match a whole value of the claim, case-sensitively', () => {
    expect(isViewer(['group:research'], { groups: ['sales', 'research'] })).toBe(true);
    expect(isViewer(['group:research'], { groups: 'research' })).toBe(true);
    const others = [
      ['Research'],
      ['research '],
      ['researchers'],
      ['group:research'],
      [['research']],
      ['*'],
      'research,sales',
      'sales research',
      { research: true },
      { 0: 'research' },
      null,
      true,
      undefined,
    ];
    for (const groups of others) expect(isViewer(['group:research'], { groups })).toBe(false);
    expect(isViewer(['group:*'], { groups: ['research'] })).toBe(false);
  });

  it('come only from the configured claim', () => {
    const claims = { groups: ['x'], roles: ['research'], 'cognito:groups': ['sales'] };
    expect(isViewer(['group:research'], claims)).toBe(false);
    expect(isViewer(['group:research'], claims, provider, 'roles')).toBe(true);
    expect(isViewer(['group:sales'], claims, provider, 'cognito:groups')).toBe(true);
    expect(isViewer(['group:function Object() { [native code] }'], {}, provider, 'constructor')).toBe(false);
  });
});

describe('addresses', () => {
  it('match in lower case if the provider verified them', () => {
    expect(isViewer(['ann@example.com'], mail('Ann@Example.COM'))).toBe(true);
    for (const verified of [false, undefined, 'true', 1, {}, null]) {
      const claims = { email: 'ann@example.com', email_verified: verified };
      expect(isViewer(['ann@example.com', '*@example.com'], claims)).toBe(false);
    }
  });

  it('match only the exact domain, without subdomains or suffixes', () => {
    const all = ['*@example.com'];
    expect(isViewer(all, mail('ann@EXAMPLE.com'))).toBe(true);
    const others = [
      'ann@sub.example.com',
      'ann@badexample.com',
      'ann@example.com.evil.org',
      'ann@example.co',
      'example.com',
      '@example.com',
      'ann@evil.org@example.com',
      '"ann@evil.org"@example.com',
      'ann@example.com ',
      'ann@example.com\u0000',
      ['ann@example.com'],
      { toString: () => 'ann@example.com' },
      null,
    ];
    for (const email of others) expect(isViewer(all, mail(email))).toBe(false);
  });

  it('does not turn a letter of another alphabet into ASCII, such as the Kelvin sign', () => {
    expect('\u212a'.toLowerCase()).toBe('k');
    expect(isViewer(['kim@example.com'], mail('\u212aim@example.com'))).toBe(false);
    expect(isViewer(['*@kim.com'], mail('ann@\u212aim.com'))).toBe(false);
  });

  it('never count for Entra, in any of its clouds', () => {
    const issuers = [
      'https://login.microsoftonline.com/1f2e/v2.0',
      'https://login.microsoftonline.us/1f2e/v2.0',
      'https://login.partner.microsoftonline.cn/1f2e/v2.0',
      'https://sts.windows.net/1f2e/',
      'https://contoso.ciamlogin.com/1f2e/v2.0',
    ];
    for (const issuer of issuers) {
      expect(isEntra(issuer)).toBe(true);
      const members = ['ann@example.com', '*@example.com'];
      expect(isViewer(members, mail('ann@example.com'), { ...entra, issuer })).toBe(false);
    }
    expect(isViewer(['group:research'], { groups: ['research'] }, entra)).toBe(true);
    expect(isEntra('https://evil.example/login.microsoftonline.com/')).toBe(false);
  });
});

describe('roles', () => {
  it('makes a person on both lists an editor, and gives no role to a person on neither', () => {
    const lists = { consoleViewers: ['group:a'], consoleEditors: ['group:b'] };
    expect(roleOf(lists, provider, { groups: ['a', 'b'] })).toBe('editor');
    expect(roleOf(lists, provider, { groups: ['a'] })).toBe('viewer');
    expect(roleOf(lists, provider, { groups: ['c'] })).toBeUndefined();
    expect(roleOf({}, provider, { groups: ['a'] })).toBeUndefined();
  });

  it('admits nobody by an empty list and never throws, whatever the claims', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (claims, groups) => {
        for (const lists of [{}, { consoleEditors: ['group:\u0001never'] }])
          expect(roleOf(lists, provider, { ...claims, groups })).toBeUndefined();
      }),
    );
  });
});

describe('names', () => {
  it("use the verified address, or else the provider's name with the permanent id", () => {
    const sub = 'u-1';
    expect(personName({ sub, ...mail('Ann@Example.com') }, provider)).toBe('ann@example.com');
    expect(personName({ sub, ...mail('ann@example.com', false) }, provider)).toBe('(u-1)');
    expect(personName({ sub, preferred_username: 'ann@example.com' }, entra)).toBe('ann@example.com (u-1)');
  });

  it('never let a self-chosen name impersonate someone', () => {
    const chosen = ['boss@example.com (u-2)', 'a b', 'a\u202eb', '(u-2)', 'x'.repeat(101), 7];
    for (const preferred_username of chosen)
      expect(personName({ sub: 'u-1', preferred_username }, provider)).toBe('(u-1)');
  });
});
