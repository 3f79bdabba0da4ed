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

describe('entries of lists', () => {
  it.each([
    ['group:research', 'group:research'],
    [' group:Product Team ', 'group:Product Team'],
    ['group:*', 'group:*'],
    ['Ann.Lee+x@Example.COM', 'ann.lee+x@example.com'],
    ['*@Example.com', '*@example.com'],
  ])('%s is taken', (text, member) => {
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
  ])('%s is none', (text) => {
    expect(parseMember(text)).toBeUndefined();
  });
});

describe('groups', () => {
  it('are equal to a whole value of the claim, in its case', () => {
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

  it('are read from the claim that is named, and from no other', () => {
    const claims = { groups: ['x'], roles: ['research'], 'cognito:groups': ['sales'] };
    expect(isViewer(['group:research'], claims)).toBe(false);
    expect(isViewer(['group:research'], claims, provider, 'roles')).toBe(true);
    expect(isViewer(['group:sales'], claims, provider, 'cognito:groups')).toBe(true);
    expect(isViewer(['group:function Object() { [native code] }'], {}, provider, 'constructor')).toBe(false);
  });
});

describe('addresses', () => {
  it('are compared in lower case, where the provider says that it verified them', () => {
    expect(isViewer(['ann@example.com'], mail('Ann@Example.COM'))).toBe(true);
    for (const verified of [false, undefined, 'true', 1, {}, null]) {
      expect(
        isViewer(['ann@example.com', '*@example.com'], {
          email: 'ann@example.com',
          email_verified: verified,
        }),
      ).toBe(false);
    }
  });

  it('are of the whole domain, no subdomain, no other end', () => {
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

  it('no letter of another alphabet becomes one of ASCII: the Kelvin sign is a k in lower case', () => {
    expect('\u212a'.toLowerCase()).toBe('k');
    expect(isViewer(['kim@example.com'], mail('\u212aim@example.com'))).toBe(false);
    expect(isViewer(['*@kim.com'], mail('ann@\u212aim.com'))).toBe(false);
  });

  it('of Entra count for nothing, in every cloud of it', () => {
    const issuers = [
      'https://login.microsoftonline.com/1f2e/v2.0',
      'https://login.microsoftonline.us/1f2e/v2.0',
      'https://login.partner.microsoftonline.cn/1f2e/v2.0',
      'https://sts.windows.net/1f2e/',
      'https://contoso.ciamlogin.com/1f2e/v2.0',
    ];
    for (const issuer of issuers) {
      expect(isEntra(issuer)).toBe(true);
      expect(
        isViewer(['ann@example.com', '*@example.com'], mail('ann@example.com'), { ...entra, issuer }),
      ).toBe(false);
    }
    expect(isViewer(['group:research'], { groups: ['research'] }, entra)).toBe(true);
    expect(isEntra('https://evil.example/login.microsoftonline.com/')).toBe(false);
  });
});

describe('roles', () => {
  it('who is on both lists is an editor; who is on none is nobody', () => {
    const lists = { consoleViewers: ['group:a'], consoleEditors: ['group:b'] };
    expect(roleOf(lists, provider, { groups: ['a', 'b'] })).toBe('editor');
    expect(roleOf(lists, provider, { groups: ['a'] })).toBe('viewer');
    expect(roleOf(lists, provider, { groups: ['c'] })).toBeUndefined();
    expect(roleOf({}, provider, { groups: ['a'] })).toBeUndefined();
  });

  it('whatever claims hold, nobody is let in by an empty list, and nothing is thrown', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.anything()), fc.anything(), (claims, groups) => {
        expect(roleOf({}, provider, { ...claims, groups })).toBeUndefined();
        expect(
          roleOf({ consoleEditors: ['group:\u0001never'] }, provider, { ...claims, groups }),
        ).toBeUndefined();
      }),
    );
  });
});

describe('names', () => {
  it('are the verified address, else the lasting id behind what the provider calls them', () => {
    const sub = 'u-1';
    expect(personName({ sub, ...mail('Ann@Example.com') }, provider)).toBe('ann@example.com');
    expect(personName({ sub, ...mail('ann@example.com', false) }, provider)).toBe('(u-1)');
    expect(personName({ sub, preferred_username: 'ann@example.com' }, entra)).toBe('ann@example.com (u-1)');
  });

  it('a name that somebody gave themselves stands for nobody else', () => {
    for (const preferred_username of [
      'boss@example.com (u-2)',
      'a b',
      'a\u202eb',
      '(u-2)',
      'x'.repeat(101),
      7,
    ]) {
      expect(personName({ sub: 'u-1', preferred_username }, provider)).toBe('(u-1)');
    }
  });
});
