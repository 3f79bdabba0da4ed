import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../shared/domain/duration.ts';
import type { Project } from '../../shared/domain/project.ts';
import { SURVEY_TYPES, scaleOf } from '../../shared/domain/surveys/survey.ts';
import { aHostileTenant, aLink, HOSTILE, open, post, said } from '../support/fixtures/a-link.ts';
import { aSurvey } from '../support/fixtures/builders.ts';
import { scanAll } from '../support/scan-all.ts';
import { createRecordedService } from '../support/service/recorded-service.ts';
import type { Tenant } from '../support/service/test-service.ts';

let tenant: Tenant;
let linkTo: (type: string) => Promise<string>;
const { service, recording } = await createRecordedService();
beforeEach(async () => {
  ({ tenant, linkTo } = await aHostileTenant(service));
});

describe('200', () => {
  it('returns a plain HTML form with every rating, comment and contact checkbox, without address field and script', async () => {
    for (const type of SURVEY_TYPES) {
      const { text } = await open(service, await linkTo(type));
      const values = [...text.matchAll(/name="rating" value="(\d+)"/g)].map(([, value]) => Number(value));
      const { min, max } = scaleOf(aSurvey({}, { type }));
      const length = type === 'open' ? 0 : max - min + 1;
      expect(values.sort((a, b) => a - b)).toEqual(Array.from({ length }, (_, at) => min + at));
      expect(text).toContain(`A ${type} question`);
      for (const name of ['text', 'followUpRequested']) expect(text).toContain(`name="${name}"`);
      expect(text).not.toContain('type="email"');
      expect(text).not.toMatch(/<script|<input type="hidden"|src=|https?:/);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10 * 1_024);
    }
  });

  it("has the reasons in the survey's language before the text, within 10 KB", async () => {
    const reasons = Array.from({ length: 8 }, (_, nth) => ({ code: `r${nth}`, label: 'ü'.repeat(60) }));
    const locales = { de: { reasons: { r0: '<b>Zu langsam' } } };
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
      aSurvey({}, { reasons, locales }),
    ]);
    const { text } = await open(service, await aLink(service, asking), { query: 'lang=de' });
    const offered = [...text.matchAll(/name="reasons" value="(\w+)"><bdi>(.*?)<\/bdi>/g)];
    expect(offered.map(([, code]) => code)).toEqual(reasons.map(({ code }) => code));
    expect(offered.map(([, , label]) => label).slice(0, 2)).toEqual(['&lt;b&gt;Zu langsam', 'ü'.repeat(60)]);
    expect(text.indexOf('class="why"')).toBeLessThan(text.indexOf('<textarea'));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(10 * 1_024);
    expect((await open(service, await linkTo('nps'))).text).not.toContain('name="reasons"');
  });

  it('shows the follow-up question of the chosen rating by a style that its policy allows', async () => {
    const followUps = [
      { ratings: [0, 1], question: 'What <b> went wrong?' },
      { ratings: [1, 10], question: 'What did you like?' },
    ];
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [
      aSurvey({}, { followUps }),
    ]);
    const { text, headers } = await open(service, await aLink(service, asking));
    expect([...text.matchAll(/class="f f\d"><bdi>(.*?)<\/bdi>/g)].map(([, question]) => question)).toEqual([
      'What &lt;b&gt; went wrong?',
      'What did you like?',
    ]);
    const [, style = ''] = /<style>(\.f\{.*?)<\/style>/.exec(text) ?? [];
    const shown = [...style.matchAll(/form:has\(([^{]*)\) \.f(\d)\{display:block\}/g)].map(
      ([, chosen = '', at]) => [at, [...chosen.matchAll(/value="(\d+)"/g)].map(([, value]) => value)],
    );
    expect(shown).toEqual([
      ['0', ['0', '1']],
      ['1', ['10']],
    ]);
    const hash = createHash('sha256').update(style).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'`);
  });

  it('escapes texts of the survey', async () => {
    const { text } = await open(service, await aLink(service, tenant));
    expect(text).not.toContain('<script');
    expect(text).toContain('&lt;script&gt;');
  });

  const named = async (terms: Partial<Project>) => {
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 }, ...terms });
    return open(service, await aLink(service, asking));
  };

  it("names the sender: the project's display name, or else its name, escaped", async () => {
    expect((await named({ name: 'Shop prod' })).text).toContain('<bdi>Shop prod</bdi>');
    const { text } = await named({ name: 'Shop prod', displayName: `👩‍👩‍👧 ${HOSTILE}` });
    expect(text).toContain('<span aria-hidden="true">👩‍👩‍👧</span>');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toMatch(/<script|Shop prod/);
  });

  it("has the project's color, made readable, in a style that the policy allows", async () => {
    const { text, headers } = await named({ accent: '#00aa77' });
    const [, own = ''] = [...text.matchAll(/<style>([^<]*)<\/style>/g)].map(([, style = '']) => style);
    expect(own).toMatch(/^:root\{--a:light-dark\(#[0-9a-f]{6},#[0-9a-f]{6}\)\}$/);
    const hash = createHash('sha256').update(own).digest('base64');
    expect(headers['content-security-policy']).toContain(`'sha256-${hash}'; base-uri`);
  });

  it('ignores an invalid color', async () => {
    for (const accent of ['red}body{display:none', '#0a7;--a:red', '</style><script>'])
      expect((await named({ accent })).text.match(/<style>/g)).toHaveLength(1);
  });

  it('shows thumbs as in the widget, up first, and asks what was missing after a thumb down', async () => {
    const thumbs = aSurvey({}, { type: 'thumbs', followUpQuestion: 'What was missing?' });
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [thumbs]);
    const { text } = await open(service, await aLink(service, asking));
    expect([...text.matchAll(/name="rating" value="(\d)"/g)].map(([, value]) => value)).toEqual(['1', '0']);
    expect(text).toContain('<span class="own"><bdi>What was missing?</bdi></span>');
  });

  it('forbids scripts, requests, framing, indexing, caching and referrers', async () => {
    const { headers } = await open(service, await aLink(service, tenant));
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers).not.toHaveProperty('set-cookie');
  });

  it('uses the language of the survey and of the person', async () => {
    const path = await aLink(service, tenant);
    const langOf = async (accepted: string, query = '') => {
      const { text } = await open(service, path, { headers: { 'accept-language': accepted }, query });
      return [/lang="([\w-]+)" dir="(\w+)"/.exec(text)?.slice(1).join(' '), /<title>(.{3})/.exec(text)?.[1]];
    };
    expect(await langOf('de-AT,de;q=0.9,en;q=0.8')).toEqual(['de ltr', 'Wie']);
    expect(await langOf('en;q=0.5, de;q=0.9')).toEqual(['de ltr', 'Wie']);
    expect(await langOf('en', 'lang=de')).toEqual(['de ltr', 'Wie']);
    expect(await langOf('en', 'lang=de_AT')).toEqual(['de ltr', 'Wie']);
    expect(await langOf('ar')).toEqual(['ar rtl', 'How']);
    expect(await langOf('iw')).toEqual(['he rtl', 'How']);
    expect(await langOf('nn')).toEqual(['nb ltr', 'How']);
    expect(await langOf('zh-TW,zh;q=0.9,en-US;q=0.8')).toEqual(['en ltr', 'How']);
    expect(await langOf('zh-TW,zh-CN;q=0.9')).toEqual(['zh ltr', 'How']);
    expect(await langOf('zh-Hant-HK')).toEqual(['en ltr', 'How']);
    expect(await langOf('')).toEqual(['en ltr', 'How']);
    expect(await langOf('x'.repeat(5_000), 'lang=%22%3E%3Cscript')).toEqual(['en ltr', 'How']);
  });

  const asked = async (lang: string, content: Parameters<typeof aSurvey>[1]) => {
    const asking = await service.tenant({ rates: { publishable: 0, secret: 0 } }, [aSurvey({}, content)]);
    const path = await aLink(service, asking);
    return { path, text: (await open(service, path, { query: `lang=${lang}` })).text };
  };

  it.each([
    ['pmf', 'Very disappointed'],
    ['nps', 'Extremely likely'],
    ['ces', 'Strongly agree'],
    ['csat', 'Very satisfied'],
    ['thumbs', 'Not helpful'],
  ] as const)('marks values with the language of the question: %s', async (type, value) => {
    const reasons = [{ code: 'slow', label: 'Slow' }];
    const own = { type, question: 'And now?', reasons, words: { send: 'Go' } };
    const { text } = await asked('ja', own);
    expect(text).toContain('<html lang="ja" dir="ltr">');
    for (const part of [
      '<fieldset lang="en" dir="ltr">',
      value,
      'for="t" lang="en" dir="ltr">Would you like to add anything?',
      'class="why" role="group" aria-labelledby="q" lang="en" dir="ltr">',
      'class="send" lang="en" dir="ltr">Go<',
      '<span>この件で連絡を受け取ってもよい</span>',
    ])
      expect(text).toContain(part);
    expect((await asked('en', own)).text.match(/lang="/g)).toHaveLength(1);
  });

  it.each([
    ['ja', 'ご注文はいかがでしたか？', '', 'とても満足'],
    ['en', 'ご注文はいかがでしたか？', 'ja', 'とても満足'],
    ['ja', '您对订单满意吗？', '', 'とても満足'],
    ['en', '您对订单满意吗？', 'zh', '非常满意'],
    ['he', 'ما مدى رضاك؟', 'ar', 'راضٍ جدًا'],
    ['de', 'How was it?', '', 'Sehr zufrieden'],
    ['ja', 'Wie war es?', 'de', 'Sehr zufrieden', 'de-AT,de'],
    ['ja', 'Як вам?', '', 'とても満足'],
    ['ja', '😀?', '', 'とても満足'],
  ] as const)(
    'detects the language from the letters of a question: in %s, %s is taken for "%s"',
    async (lang, question, mark, best, accepted: string = '') => {
      const { path } = await asked(lang, { type: 'csat', question });
      const headers = { 'accept-language': accepted };
      const { text } = await open(service, path, { headers, query: `lang=${lang}` });
      expect(/<fieldset(?: lang="(\w+)")?/.exec(text)?.[1] ?? '').toBe(mark);
      expect(text).toContain(`5, ${best}`);
    },
  );

  it("marks the language of the survey's thanks, but not of the page's own", async () => {
    const markOf = async (content: Parameters<typeof aSurvey>[1]) => {
      const { path } = await asked('ar', { question: 'And now?', ...content });
      const { text } = await post(service, path, { rating: '9' }, { query: 'lang=ar' });
      return [/<html[^>]*>/.exec(text)?.[0], /<div class="said"[^>]*>/.exec(text)?.[0]];
    };
    const page = '<html lang="ar" dir="rtl">';
    expect(await markOf({ thanks: { text: 'Bye' } })).toEqual([
      page,
      '<div class="said" lang="en" dir="ltr">',
    ]);
    expect(await markOf({})).toEqual([page, '<div class="said">']);
  });

  it('selects the rating from the address if it is on the scale', async () => {
    const path = await aLink(service, tenant);
    const chosen = async (query: string) =>
      /value="(\d+)"[^>]* checked/.exec((await open(service, path, { query })).text)?.[1];
    expect(await chosen('rating=9')).toBe('9');
    for (const query of ['', 'rating=11', 'rating=x', 'rating=-1'])
      expect(await chosen(query)).toBeUndefined();
  });

  it('writes nothing for a thousand fetches by scanners, with GET and HEAD', async () => {
    const path = await aLink(service, tenant);
    const before = await scanAll(service.table, tenant.project.id);
    recording.take();
    for (let index = 0; index < 1_000; index += 1) {
      const method = index % 2 === 0 ? 'GET' : 'HEAD';
      const reply = await open(service, path, { method, query: `rating=${index % 11}` });
      if (reply.status !== 200) throw new Error(said(reply));
    }
    expect(new Set(recording.take().map(({ operation }) => operation))).toEqual(new Set(['Query']));
    expect(await scanAll(service.table, tenant.project.id)).toEqual(before);
    expect((await post(service, path, { rating: '9' })).status).toBe(200);
  });

  it('costs one query of one read unit when warm', async () => {
    const path = await aLink(service, tenant);
    await open(service, path);
    recording.take();
    await open(service, path);
    const calls = recording.take().map(({ operation, units }) => ({ operation, units }));
    expect(calls).toEqual([{ operation: 'Query', units: { table: 1 } }]);
  });
});

it('409 when it was already answered', async () => {
  const path = await aLink(service, tenant);
  await post(service, path, { rating: '3' });
  const reply = await open(service, path);
  expect(said(reply)).toBe('409 This link has already been used.');
  expect(reply.text).toContain('You can close this page.');
});

it('409 shows the words that were not stored, if they came from the own form', async () => {
  const path = await aLink(service, tenant);
  await post(service, path, { rating: '3' });
  const again = (site: string) =>
    post(service, path, { rating: '3', text: 'Too <slow>' }, { headers: { 'sec-fetch-site': site } });
  expect((await again('same-origin')).text).toContain('<blockquote dir="auto">Too &lt;slow&gt;</blockquote>');
  expect((await again('cross-site')).text).not.toContain('slow');
});

it("410 explains in the person's language that the link has expired and what to do", async () => {
  const path = await aLink(service, tenant, { expiresIn: '1d' });
  service.clock.advance(DAY);
  const german = { headers: { 'accept-language': 'de' } };
  const reply = await open(service, path, german);
  expect(said(reply)).toBe('410 Dieser Link ist abgelaufen.');
  expect(reply.text).toContain('Bitten Sie den Absender um einen neuen.');
});

it('404 for a malformed token, a show-token, a changed one, and one of a deleted survey', async () => {
  const path = await aLink(service, tenant);
  const changed = path.slice(0, -1) + (path.endsWith('A') ? 'B' : 'A');
  for (const wrong of ['/l/x', `${path}A`, changed, '/l/%00', '/l/eyJhbXIiOnRydWV9.x']) {
    const reply = await open(service, wrong);
    expect(said(reply)).toBe('404 This link is not valid.');
    expect(reply.text).toContain('Ask the person who sent it for a new one.');
  }
});

it('403 when the project is suspended', async () => {
  const path = await aLink(service, tenant);
  await service.projects.updateProject(tenant.project.id, { status: 'suspended' });
  service.clock.advance(31_000);
  expect(said(await open(service, path))).toBe('403 This link is not valid.');
});

it('429 by address, then by project, and by address for an invalid link', async () => {
  const limited = await service.tenant({ rates: { publishable: 2, secret: 0, address: 1 } });
  const path = await aLink(service, limited);
  const statuses = async (addresses: readonly string[]) => {
    const all: number[] = [];
    for (const sourceIp of addresses) all.push((await open(service, path, { sourceIp })).status);
    return all;
  };
  expect(await statuses(['192.0.2.1', '192.0.2.1', '192.0.2.1'])).toEqual([200, 200, 429]);
  expect(await statuses(['192.0.2.2', '192.0.2.3', '192.0.2.4'])).toEqual([200, 200, 429]);
  const reply = await open(service, path, { sourceIp: '192.0.2.1' });
  expect([reply.headers['retry-after'], reply.headers['content-type']]).toEqual(['1', 'text/html']);
  expect(said(reply)).toBe('429 Your response was not sent.');
  expect(reply.text).toContain('<p>Please try again in a moment.</p>');
  expect(reply.text).toContain('href="">Try again</a>');
});
