import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { getResults } from '../../../functions/get-results.ts';
import { listComments } from '../../../functions/list-comments.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../../pages/results/write-csv.ts';
import type { ResultsReply } from '../../../shared/contract/results-schemas.ts';
import { type AdminCli, createAdminCli, failed } from '../../support/admin-cli.ts';
import { aResponseRow, deliver } from '../../support/fixtures/a-stream.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { seedAnswers } from '../../support/fixtures/seed-answers.ts';
import { createTestService, type Tenant, type TestService } from '../../support/service/test-service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOSTILE = '=HYPERLINK("http://evil.example";"win"), \u202ereversed';
const TEXTS = ['Good, "really"\r\nnew line', HOSTILE, '', 'Grüße 🎉'];
const PLAN = { name: 'plan', values: [{ text: 'free' }, { text: 'pro' }] };

let service: TestService;
let admin: AdminCli;
let tenant: Tenant;
let slug: string;
let surveyId: string;
let project: readonly string[];

beforeAll(async () => {
  service = await createTestService();
  admin = createAdminCli(service);
  tenant = await service.tenant({}, [aSurvey({ segments: [PLAN] })]);
  surveyId = tenant.surveys[0]?.id ?? '';
  slug = tenant.surveys[0]?.content.slug ?? '';
  project = ['--project', tenant.project.id];
  const answers = Array.from({ length: 15 }, (_, index) =>
    index % 5 === 4
      ? undefined
      : {
          rating: index % 11,
          text: TEXTS[index % 4],
          ...(index === 3 && { identityKind: 'identified' as const }),
          traits: { plan: index % 2 === 0 ? 'free' : 'pro' },
        },
  );
  await seedAnswers(service.table, {
    projectId: tenant.project.id,
    surveyIds: [surveyId],
    count: answers.length,
    momentOf: (index) => service.clock.now() - (answers.length - index) * 86_400_000,
    responseOf: (index) => answers[index],
  });
  await deliver(
    service,
    answers.map((answer, index) =>
      aResponseRow({
        projectId: tenant.project.id,
        surveyId,
        at: new Date(service.clock.now() - (answers.length - index) * 86_400_000).toISOString(),
        ...(answer === undefined
          ? { type: 'dismissal' }
          : { ...answer, traits: JSON.stringify(answer.traits) }),
      }),
    ),
  );
});

const overHttp = async (endpoint: typeof getResults, query: Record<string, string>) =>
  (await service.call(endpoint, { secretKey: tenant.secretKey, query })).body;

describe('results show', () => {
  it('--json returns the reply of the route', async () => {
    expect(await admin.json('results', 'show', slug, ...project)).toEqual(
      await overHttp(getResults, { surveySlug: slug }),
    );
    const span = { from: '2026-11-06', to: '2026-11-15', by: 'day', segment: 'plan' };
    const flags = Object.entries(span).flatMap(([name, value]) => [`--${name}`, value]);
    expect(await admin.json('results', 'show', slug, ...project, ...flags)).toEqual(
      await overHttp(getResults, { surveySlug: slug, ...span }),
    );
  });

  it('--compare previous returns the reply of the route, and prints the difference in words', async () => {
    const flags = ['--from', '2026-11-13', '--to', '2026-11-19', '--compare', 'previous'];
    const span = { from: '2026-11-13', to: '2026-11-19', compare: 'previous' };
    const reply = await overHttp(getResults, { surveySlug: slug, ...span });
    expect(reply.previous).toMatchObject({ from: '2026-11-06', to: '2026-11-12' });
    expect(await admin.json('results', 'show', slug, ...project, ...flags)).toEqual(reply);
    const { stdout } = await admin.run('results', 'show', slug, ...project, ...flags);
    expect(stdout).toMatch(
      /^beside before +\d+\.\d (above|below) the previous 7 days \(95%: −?\d+\.\d to −?\d+\.\d\), possibly due to chance; −?\d+\.\d from \d responses$/m,
    );
    const none = ['--from', '2026-01-01', '--to', '2026-01-01', '--compare', 'previous'];
    const { stdout: nothing } = await admin.run('results', 'show', slug, ...project, ...none);
    expect(nothing).toMatch(/^beside before +nobody answered in the previous day$/m);
  });

  it('prints figures, a bar for each rating, the trend and a segment', async () => {
    const { status, stdout } = await admin.run('results', 'show', slug, ...project, '--segment', 'plan');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Net Promoter Score +−?\d+\.\d \(95%: −?\d+\.\d to −?\d+\.\d\)$/m);
    expect(stdout).toMatch(/^responses +12, 0 of them imported$/m);
    expect(stdout).toMatch(/^dismissals +3$/m);
    expect(stdout).toMatch(/^shows +never reported$/m);
    expect(stdout).toMatch(/^10 +1 +8\.3% +██$/m);
    const { series } = await overHttp(getResults, { surveySlug: slug });
    const scores = series.flatMap(({ score }: ResultsReply['series'][number]) => score?.value ?? []);
    const ends = [Math.min(...scores), Math.max(...scores)].map((value) =>
      value.toFixed(1).replace('-', '−'),
    );
    const [, drawn, ...said] = /^TREND {2}·+([▁-█]+) {2}\(lowest (\S+), highest (\S+)\)$/m.exec(stdout) ?? [];
    expect(said).toEqual(ends);
    expect([drawn?.includes('▁'), drawn?.includes('█')]).toEqual([true, true]);
    expect(stdout).toMatch(/^pro +6 +−?\d/m);
  });

  it('prints the words of ratings', async () => {
    const asking = await service.tenant({}, [aSurvey({}, { slug: 'fit', type: 'pmf' })]);
    const { stdout } = await admin.run('results', 'show', 'fit', '--project', asking.project.id);
    for (const said of [/^2 Very disappointed +0 /m, /^0 Not disappointed +0 /m])
      expect(stdout).toMatch(said);
  });

  it('prints that a stopped instance counts nothing, and so does a report', async () => {
    const running = createAdminCli(service, { url: 'http://localhost:8787' });
    for (const args of [
      ['show', slug],
      ['report', slug, '--no-comments', '-o', join(temporaryFolder(), 'report.html')],
    ]) {
      const { stderr } = await admin.run('results', ...args, ...project, '--json');
      expect(stderr).toMatch(
        /^The local instance is not running\. [^\n]* are counted when it runs again\.\n$/,
      );
      expect((await running.run('results', ...args, ...project, '--json')).stderr).toBe('');
    }
  });

  it('prints a survey without answers', async () => {
    const empty = await service.tenant();
    const flags = [empty.surveys[0]?.content.slug ?? '', '--project', empty.project.id];
    const { status, stdout } = await admin.run('results', 'show', ...flags);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Net Promoter Score +none yet$/m);
    expect(stdout).toMatch(/^TREND {2}·+$/m);
  });

  it.each([
    [
      ['--from', '2026-02-30'],
      'error: --from: must be a day that exists, from 1970 on, such as 2026-11-20.\n',
    ],
    [['--from', '2026-11-03', '--to', '2026-11-02'], 'error: --from: must not be after `to`.\n'],
    [['--from', '2025-01-01'], 'error: --from: at most 400 days at once.\n'],
    [['--segment', 'country'], "error: --segment: the survey's segments are identityKind, plan.\n"],
  ])('exits with 2 for %j', async (flags, stderr) => {
    expect(await admin.run('results', 'show', slug, ...project, ...flags)).toEqual({
      status: 2,
      stdout: '',
      stderr,
    });
  });
});

describe('results compare', () => {
  const compare = (...values: string[]) =>
    ['results', 'compare', slug, ...project, '--segment', 'plan', '--values', ...values] as const;

  it('returns the reply of the route, and prints a table and the difference', async () => {
    const query = { surveySlug: slug, segment: 'plan', value: 'free', against: 'pro' };
    expect(await admin.json(...compare('free', 'pro'))).toEqual(await overHttp(getResults, query));
    const { stdout } = await admin.run(...compare('free', 'pro'));
    expect(stdout).toMatch(/^PLAN +RESPONSES +SCORE +95%$/m);
    expect(stdout).toMatch(/^free +\d+ +−?\d+\.\d +/m);
    expect(stdout).toMatch(/^pro +\d+ +−?\d+\.\d +/m);
    expect(stdout).toMatch(/^free: \d+\.\d (above|below) pro \(95%: .+ to .+\), possibly due to chance\./m);
    expect((await admin.run(...compare('null', 'other'))).stdout).toContain('not given');
  });

  it('requires two values that the segment has', async () => {
    for (const values of [['free'], ['free', 'pro', 'other']])
      expect(await admin.run(...compare(...values))).toEqual(failed(2, /--values needs two values/));
    expect((await admin.run(...compare('free', 'free'))).stderr).toContain('--against');
    expect((await admin.run(...compare('free', 'team'))).status).toBe(2);
  });
});

describe('results comments', () => {
  it('--json returns the replies of the route, page after page', async () => {
    const flags = ['--rating-min', '1', '--limit', '3'];
    const first = await admin.json('results', 'comments', slug, ...project, ...flags);
    const reply = await overHttp(listComments, { surveySlug: slug, ratingMin: '1', limit: '3' });
    expect(first.comments).toEqual(reply.comments);
    expect(first.comments).toHaveLength(3);
    const following = [...flags, '--cursor', first.nextCursor];
    const next = await admin.json('results', 'comments', slug, ...project, ...following);
    const all = await overHttp(listComments, { surveySlug: slug, ratingMin: '1' });
    expect([...first.comments, ...next.comments]).toEqual(all.comments.slice(0, 6));
  });

  it('prints each comment on one line, whatever it contains', async () => {
    const { stdout } = await admin.run('results', 'comments', slug, ...project);
    expect(stdout).toMatch(/^AT +RATING +RESPONDENT +KIND +CONTACT +TEXT\n/);
    expect(stdout).toMatch(/person-3 +identified +Grüße/);
    expect(stdout).toContain('Good, "really" new line\n');
    expect(stdout).not.toContain('\u202e');
    expect(stdout.trim().split('\n')).toHaveLength(1 + 9);
  });

  it('counts reasons by their label, filters by them, and shows them beside comments and in CSV', async () => {
    const reasons = [{ code: 'slow', label: 'Too slow' }];
    const asking = await service.tenant({}, [aSurvey({ reasonCodes: ['slow'] }, { reasons })]);
    const [{ id, content } = aSurvey()] = asking.surveys;
    const given = [{ code: 'slow', place: 0 }];
    const ofAsking = { projectId: asking.project.id, momentOf: () => service.clock.now() };
    const responseOf = (index: number) => ({
      rating: 2,
      text: `words ${index}`,
      reasons: index === 0 ? given : undefined,
    });
    await seedAnswers(service.table, { ...ofAsking, surveyIds: [id], count: 2, responseOf });
    const at = new Date(service.clock.now()).toISOString();
    const row = { projectId: asking.project.id, surveyId: id, rating: 2, at, reasons: { given } };
    await deliver(service, [aResponseRow(row)]);
    const run = (...args: string[]) =>
      admin.run('results', ...args, content.slug, '--project', asking.project.id);
    expect((await run('show')).stdout).toMatch(/REASON +COUNT\s+slow +Too slow +1 /);
    const { stdout } = await run('comments', '--reason', 'slow');
    expect(stdout).toMatch(/CONTACT +REASONS +TEXT\n.*slow +words 0\n$/);
    expect((await run('comments', '--reason', 'odd')).stderr).toContain(
      '--reason: the survey has no such reason',
    );
    expect((await run('export', '--format', 'csv')).stdout).toContain('"[""slow""]"');
  });
});

it.each([
  ['--rating-min', '99', '--rating-min: must be a whole number from 0 to 10.'],
  ['--limit', '1001', /from 1 to 1000/],
])('results comments exits with 2 for %s %s', async (flag, value, problem) => {
  const ended = await admin.run('results', 'comments', slug, ...project, flag, value);
  expect(ended).toEqual(failed(2, problem));
});

describe('results export', () => {
  const exported = (format: string, ...flags: string[]) =>
    admin.run('results', 'export', slug, ...project, '--format', format, ...flags);

  it('writes CSV that a parser can read, with the answers that the route counts', async () => {
    const { status, stdout, stderr } = await exported('csv');
    expect([status, stderr]).toEqual([0, 'Wrote 12 responses and 3 dismissals.\n']);
    expect(stdout.startsWith(BYTE_ORDER_MARK)).toBe(true);
    // Readers may count the columns.
    expect(stdout).toMatch(/^.*,handled,labels,channel,choice\r?\n/);
    const rows: Record<string, string>[] = parse(stdout, { bom: true, columns: true });
    const results = await overHttp(getResults, { surveySlug: slug });
    const responses = rows.filter(({ kind }) => kind === 'response');
    expect([responses.length, rows.length - responses.length]).toEqual([
      results.responses,
      results.dismissals,
    ]);
    for (const { rating, count } of results.distribution)
      expect(responses.filter((row) => row.rating === String(rating))).toHaveLength(count);
    expect(new Set(responses.map(({ text }) => text))).toEqual(
      new Set(TEXTS.map((text) => (text === HOSTILE ? `'${text}` : text))),
    );
    expect(JSON.parse(responses[0]?.traits ?? '')).toHaveProperty('plan');
  });

  it('writes JSON lines with the original texts', async () => {
    const { stdout } = await exported('jsonl');
    const texts = Array.from(stdout.trim().split('\n'), (line) => JSON.parse(line).text);
    expect(texts).toHaveLength(15);
    expect(texts).toContain(HOSTILE);
  });

  it('exports some days only', async () => {
    const { stderr } = await exported('jsonl', '--from', '2026-11-18', '--to', '2026-11-19');
    expect(stderr).toBe('Wrote 1 responses and 1 dismissals.\n');
  });

  it('exports only the responses that match filters, and no dismissals', async () => {
    const rowsOf = async (...flags: string[]) => {
      const { status, stdout } = await exported('jsonl', ...flags);
      expect(status).toBe(0);
      return stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    };
    const all = await rowsOf();
    const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
    const ofPro = all.filter(({ traits }) => traits?.plan === 'pro');
    expect(idsOf(await rowsOf('--segment', 'plan', '--value', 'pro'))).toEqual(idsOf(ofPro));
    const low = ofPro.filter(({ rating }) => rating <= 6);
    expect(low.length).toBeGreaterThan(0);
    expect(
      idsOf(await rowsOf('--segment', 'plan', '--value', 'pro', '--rating-max', '6', '--rating-min', '0')),
    ).toEqual(idsOf(low));
    expect(await rowsOf('--segment', 'plan', '--value', 'other')).toEqual([]);
  });

  it('--of days exports the numbers of the route for each day', async () => {
    const flags = ['--of', 'days', '--from', '2026-11-10', '--to', '2026-11-19'];
    const query = { surveySlug: slug, from: '2026-11-10', to: '2026-11-19', by: 'day' };
    const { series } = await overHttp(getResults, query);
    const lines = (await exported('jsonl', ...flags)).stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(series);
    const { stdout, stderr } = await exported('csv', ...flags, '--segment', 'plan', '--value', 'free');
    const rows = parse(stdout, { bom: true, columns: true }) as Record<string, string>[];
    const { body } = await service.call(getResults, {
      secretKey: tenant.secretKey,
      query: { ...query, segment: 'plan', value: 'free' },
    });
    expect(rows.map(({ from, responses }) => [from, Number(responses)])).toEqual(
      body.series.map(({ from, responses }: { from: string; responses: number }) => [from, responses]),
    );
    expect(rows[0]).toMatchObject({ dismissals: '', shows: '' });
    expect(stderr).toContain('Wrote 10 lines.');
  });

  it('--of days and a report without comments hide small numbers, unless --every-cell is given', async () => {
    await admin.json('project', 'update', tenant.project.id, '--smallest-cell', '5');
    const days = async (...flags: string[]) => {
      const span = ['--from', '2026-11-02', '--to', '2026-11-19'];
      const { stdout } = await exported('csv', '--of', 'days', ...span, ...flags);
      return parse(stdout, { bom: true, columns: true }) as Record<string, string>[];
    };
    const [hidden, every] = [await days(), await days('--every-cell')];
    // Weeks of a survey with segments are not divided by day.
    expect(hidden.map(({ responses, withheld }) => [responses, withheld])).toEqual([
      ['0', 'true'],
      ['5', 'false'],
      ['0', 'true'],
    ]);
    expect(every.map(({ responses }) => Number(responses)).reduce((sum, count) => sum + count, 0)).toBe(12);
    expect(every[0]).not.toHaveProperty('withheld');
    const report = async (...flags: string[]) => {
      const file = join(temporaryFolder(), 'report.html');
      await admin.json('results', 'report', slug, ...project, '-o', file, ...flags);
      return readFileSync(file, 'utf8');
    };
    const note = 'fewer than 5 responses are combined';
    expect(await report('--no-comments')).toContain(note);
    expect(await report('--no-comments')).toContain('segments with fewer than 5 responses, combined');
    expect(await report('--no-comments', '--every-cell')).not.toContain(note);
    expect(await report()).not.toContain(note);
    await admin.json('project', 'update', tenant.project.id, '--smallest-cell', '1');
  });

  it('-o writes a file that only its owner can read, and prints a summary', async () => {
    const file = join(temporaryFolder(), 'answers.csv');
    const report = await admin.json('results', 'export', slug, ...project, '--format', 'csv', '-o', file);
    expect(report).toEqual({ file, responses: 12, dismissals: 3 });
    expect(readFileSync(file, 'utf8')).toBe((await exported('csv')).stdout);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it.each(['export', 'report'])(
    'exits with 2 for %s -o on anything but a file, and leaves it unchanged',
    async (name) => {
      const folder = temporaryFolder();
      const pipe = join(folder, 'pipe');
      execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);
      for (const path of [folder, pipe]) {
        const flags = [...(name === 'export' ? ['--format', 'csv'] : []), '-o', path];
        expect(await admin.run('results', name, slug, ...project, ...flags)).toEqual(
          failed(2, `--output: ${path} is no regular file.`),
        );
      }
      expect(statSync(pipe).isFIFO()).toBe(true);
    },
  );

  it('-o refuses a symbolic link, and replaces a file that others can read', async () => {
    const folder = temporaryFolder();
    const [file, link] = [join(folder, 'answers.csv'), join(folder, 'link.csv')];
    symlinkSync('answers.csv', link);
    writeFileSync(file, 'kept', { mode: 0o644 });
    expect(await exported('csv', '-o', link)).toEqual(
      failed(2, `--output: ${link} is a symbolic link. Name the file itself.`),
    );
    expect(readFileSync(file, 'utf8')).toBe('kept');
    await exported('csv', '-o', file);
    expect(readFileSync(file, 'utf8')).toBe((await exported('csv')).stdout);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('leaves no incomplete file', async () => {
    const file = join(temporaryFolder(), 'none', 'answers.csv');
    expect((await exported('csv', '-o', file)).status).toBe(1);
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    [['--format', 'xlsx'], 'csv, jsonl'],
    [[], '--format'],
    [['--format', 'csv', '--json'], '-o FILE'],
    [['--format', 'csv', '--from', '2026-13-01'], '--from'],
    [['--format', 'csv', '--from', '2026-11-02', '--to', '2026-11-01'], '--from'],
    [['--format', 'csv', '--segment', 'plan'], '--value'],
    [['--format', 'csv', '--segment', 'plan', '--value', 'team'], '--value'],
    [['--format', 'csv', '--segment', 'country', '--value', 'team'], '--segment'],
    [['--format', 'csv', '--rating-min', '11'], '--rating-min'],
    [['--format', 'csv', '--by', 'week'], '--of days'],
    [['--format', 'csv', '--of', 'days', '--rating-min', '1'], '--rating-min'],
    [['--format', 'csv', '--of', 'days', '--segment', 'plan'], '--value'],
    [['--format', 'csv', '--every-cell'], '--of days'],
  ])('exits with 2 for %j', async (flags, problem) => {
    const { status, stderr } = await admin.run('results', 'export', slug, ...project, ...flags);
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)]);
  });
});

describe('a line of CSV', () => {
  it.each([
    [['plain', 1, true, null], 'plain,1,true,\r\n'],
    [['a,b', 'say "hi"', 'two\nlines', ' edge'], '"a,b","say ""hi""","two\nlines"," edge"\r\n'],
    [['=1+1', '+1', '-1', '@SUM(A1)'], "'=1+1,'+1,'-1,'@SUM(A1)\r\n"],
    [['\t=1', '\r=1', '  =1'], "'\t=1,\"'\r=1\",'  =1\r\n"],
    [['＝1', '＋1', '－1', '＠x'], "'＝1,'＋1,'－1,'＠x\r\n"],
    [["'=1", "''=1", "'tis"], "''=1,'''=1,'tis\r\n"],
    [['=a,"b"'], '"\'=a,""b"""\r\n'],
    [[-1, 'a-b', '', '1 = 1', '-', "'-"], "-1,a-b,,1 = 1,-,''-\r\n"],
  ])('is escaped where necessary: %j', (cells, line) => {
    expect(csvLine(cells)).toBe(line);
  });
});
