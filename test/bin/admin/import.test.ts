import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importFile } from '../../../bin/admin/import/command.ts';
import { bootstrap } from '../../../functions/bootstrap.ts';
import { erase } from '../../../functions/erase.ts';
import { exportResponses } from '../../../functions/export-responses.ts';
import { imports } from '../../../functions/runtime/parts/answers.ts';
import type { Row } from '../../../shared/data/table/row.ts';
import { SECOND } from '../../../shared/domain/duration.ts';
import type { Survey, SurveyQuestion } from '../../../shared/domain/surveys/survey.ts';
import { createAdminCli, failed } from '../../support/admin-cli.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';
import { createTestClock } from '../../support/service/test-clock.ts';
import { createTestService, type Tenant } from '../../support/service/test-service.ts';
import { createRecordingClient } from '../../support/stand-ins/recording-client.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const service = await createTestService();
const admin = createAdminCli(service);

const report = (more: object) => ({
  imported: 0,
  redacted: 0,
  skipped: 0,
  expired: 0,
  completed: 0,
  dismissals: 0,
  withdrawn: 0,
  rejected: [],
  read: expect.anything(),
  ...more,
});

describe('import', () => {
  function fileOf(text: string | Uint8Array): string {
    const file = join(temporaryFolder(), 'answers.csv');
    writeFileSync(file, text);
    return file;
  }
  const flagsOf = ({ project, surveys }: Tenant, file: string) => [
    ...['import', '--project', project.id, '--survey', surveys[0]?.content.slug ?? '', '-f', file],
  ];
  const importText = (tenant: Tenant, text: string, ...more: string[]) =>
    admin.json(...flagsOf(tenant, fileOf(text)), ...more);
  const exportOf = ({ secretKey }: Tenant, query: Record<string, string>) =>
    service.call(exportResponses, { secretKey, query });

  it('stores lines as responses with the source `import`, which can be found, suppressed and erased by email; a second import stores nothing', async () => {
    const tenant = await service.tenant({ limits: { quietPeriodMs: 0, monthlyCap: 0 } });
    const [surveyId] = tenant.surveys.map(({ id }) => id);
    const text = [
      '\uFEFFemail,rating,text,at,id',
      'Ann@Example.org,9,"good, ""really""\nand more",2026-01-02T03:04:05Z,r-1',
      'bob@example.org,3,,2026-01-03,r-2',
      'bob@example.org,11,,,r-3',
      '',
      'nobody,5,,,r-4',
    ].join('\r\n');
    const first = await importText(tenant, text);
    const rejected = [
      { line: 5, message: expect.stringContaining('from 0 to 10') },
      { line: 7, message: expect.stringContaining('email') },
    ];
    expect(first).toEqual(report({ imported: 2, rejected }));
    expect(await importText(tenant, text)).toMatchObject({ imported: 0, skipped: 2 });

    const { body } = await exportOf(tenant, { email: 'ann@example.org' });
    expect(body.responses).toMatchObject([
      {
        rating: 9,
        text: 'good, "really"\nand more',
        at: '2026-01-02T03:04:05.000Z',
        source: 'import',
        linked: false,
        respondentId: expect.stringMatching(/^imp_[0-9a-f]{64}$/),
      },
    ]);
    const userId: string = body.responses[0].respondentId;
    const asked = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
    expect(asked.body).toMatchObject({ suppression: [surveyId], showTokens: {} });

    const { secretKey } = tenant;
    const erased = await service.call(erase, { secretKey, query: { email: 'ANN@example.org' } });
    expect(erased.body).toMatchObject({
      respondentIds: [userId],
      responsesDeleted: 1,
      suppressionRetained: 1,
    });
    expect(await importText(tenant, text)).toMatchObject({ imported: 0, skipped: 2 });
    expect(await importText(tenant, 'email,rating\nann@example.org,4')).toMatchObject({
      imported: 0,
      skipped: 1,
    });
    expect((await exportOf(tenant, { email: 'ann@example.org' })).body).toMatchObject({ count: 0 });
  });

  it('counts the quiet period from the time of the line', async () => {
    const tenant = await service.tenant({}, [aSurvey(), aSurvey()]);
    const day = (ago: number) => new Date(service.clock.now() - ago * 86_400_000).toISOString();
    await importText(tenant, `respondent_id,rating,at\nold,5,${day(8)}\nnew,5,${day(6)}`);
    const tokens = async (userId: string) => {
      const { body } = await service.call(bootstrap, { body: { key: tenant.publishableKey, userId } });
      return Object.keys(body.showTokens);
    };
    expect(await tokens('old')).toEqual([tenant.surveys[1]?.id]);
    expect(await tokens('new')).toEqual([]);
  });

  it('stores lines without ID or time once', async () => {
    const tenant = await service.tenant();
    const text = 'respondent_id;score\nann;9\nann;9\nann;8';
    expect(await importText(tenant, text)).toMatchObject({ imported: 2, skipped: 1 });
    expect(await importText(tenant, text)).toMatchObject({ imported: 0, skipped: 3 });
    expect((await exportOf(tenant, { respondentId: 'ann' })).body.count).toBe(2);
  });

  it('skips the second and third header of Qualtrics, and accepts named columns and dates', async () => {
    const tenant = await service.tenant();
    const qualtrics = [
      'EndDate,ResponseId,RecipientEmail,Q1_NPS_GROUP,Q1',
      'End Date,Response ID,Recipient Email,How likely? - Group,How likely?',
      '"{""ImportId"":""endDate"",""timeZone"":""America/Denver""}","{""ImportId"":""_recordId""}","{}","{}","{}"',
      '2026-01-31 23:30:00,R_1,ann@example.org,Promoter,9',
    ].join('\n');
    expect(await importText(tenant, qualtrics)).toEqual(report({ imported: 1 }));
    expect((await exportOf(tenant, { email: 'ann@example.org' })).body.responses[0].at).toBe(
      '2026-02-01T06:30:00.000Z',
    );
    const nowhere = fileOf(qualtrics.replace('America/Denver', 'Mars/Olympus'));
    expect(await admin.run(...flagsOf(tenant, nowhere))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('time zone "Mars/Olympus" is unknown'),
    });
    const named = 'who,how much,when\nbob@example.org,7,01/02/2026\n';
    const columns = ['email=who', 'rating=how much', 'at=when'].flatMap((column) => ['--column', column]);
    const imported = await importText(tenant, named, ...columns, '--dates', 'dmy');
    expect(imported).toEqual(report({ imported: 1 }));
    const { body } = await exportOf(tenant, { email: 'bob@example.org' });
    expect(body.responses).toMatchObject([{ rating: 7, at: '2026-02-01T00:00:00.000Z' }]);
  });

  it('exits with 2 and imports nothing for a missing file, no CSV, no UTF-8, no columns and a wrong flag', async () => {
    const tenant = await service.tenant();
    const wrong = [
      flagsOf(tenant, '/nowhere.csv'),
      flagsOf(tenant, fileOf('email,rating\nann@example.org,5\n"bob@example.org,5')),
      flagsOf(
        tenant,
        fileOf(Buffer.from('email,rating\nann@example.org,5\nj\xf6rg@example.org,5\n', 'latin1')),
      ),
      flagsOf(tenant, fileOf('email,colour\nann@example.org,5')),
      flagsOf(tenant, fileOf('')),
      [...flagsOf(tenant, fileOf('email,rating')), '--column', 'mail=x'],
      [...flagsOf(tenant, fileOf('email,rating')), '--dates', 'ymd'],
      flagsOf(tenant, fileOf('email,rating')).slice(0, -2),
    ];
    for (const flags of wrong) {
      const { status, stdout, stderr } = await admin.run(...flags);
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect((await exportOf(tenant, { email: 'ann@example.org' })).status).toBe(404);
  });

  it.each([
    [
      'Delighted, with other words',
      'email=Email|rating=Score|text=Feedback text|at=Date Created',
      'ann@example.org|9|lovely|2026-02-01 10:00:00',
    ],
    [
      'SurveyMonkey',
      'id=Respondent ID|Collector ID|Start Date|at=End Date|IP Address|email=Email Address|rating=How satisfied are you?|text=Why?',
      '||||||Response|Open-Ended Response',
      '7|1|02/01/2026 09:00:00 AM|02/01/2026 10:00:00 AM|10.1.2.3|ann@example.org|9|lovely',
    ],
    [
      'Qualtrics',
      'StartDate|EndDate|at=RecordedDate|id=ResponseId|email=RecipientEmail|respondent_id=ExternalReference|Q1_NPS_GROUP|rating=Q1|text=Q2',
      'Start|End|Recorded|Response|Email|Reference|How likely? - Group|How likely?|"Why\nso?"',
      '"{""ImportId"":""startDate""}"||"{""ImportId"":""recordedDate"",""timeZone"":""America/Denver""}"||||||',
      '2026-02-01|2026-02-01|2026-02-01 03:00:00|R_1|ann@example.org|ann|Promoter|9|lovely',
    ],
    [
      'Typeform',
      'id=#|rating=How likely are you to recommend us?|text=Why did you give that score?|email=Email|Start Date (UTC)|at=Submit Date (UTC)|Network ID',
      'ab1|9|lovely|ann@example.org|2026-02-01 09:59:00|2026-02-01 10:00:00|n1',
    ],
    [
      'Hotjar',
      'Number|User|at=Date Submitted|Country|rating=How likely are you to recommend us?|respondent_id=user_id',
      '1|ab12|2026-02-01 10:00:00|France|9|ann',
    ],
    [
      'PostHog',
      'id=uuid|event|at=timestamp|respondent_id=distinct_id|rating=properties.$survey_response|text=properties.$survey_response_1',
      'u1|survey sent|2026-02-01T10:00:00.000000Z|ann|9|lovely',
    ],
  ])('with --dry-run reports how it reads a file of %s and stores nothing', async (by, header, ...lines) => {
    const tenant = await service.tenant();
    const headings = header.split('|').map((named) => named.split('=').toReversed());
    const text = [headings.map(([heading]) => heading).join('|'), ...lines].join('\n');
    const columns = { email: null, respondent_id: null, rating: null, text: null, at: null, id: null };
    for (const [heading, field] of headings)
      if (field !== undefined) Object.assign(columns, { [field]: heading });
    const unused = headings.flatMap(([heading, field]) => (field === undefined ? [heading] : []));
    const time = '2026-02-01T10:00:00.000Z';
    const zone = by === 'Qualtrics' ? 'America/Denver' : null;
    const read = {
      columns,
      unused,
      rows: 1,
      untimed: 0,
      problems: [],
      dropped: [],
      first: time,
      last: time,
      zone,
    };
    const imported = await importText(tenant, `sep=|\n${text}`, '--dry-run', '--dates', 'mdy');
    expect(imported).toEqual(report({ read }));
    const found = await exportOf(tenant, { respondentId: 'ann', email: 'ann@example.org' });
    expect(found.status).toBe(404);
  });

  it('prints the columns, problems and times before it imports', async () => {
    const tenant = await service.tenant();
    const text =
      'Email,Score,Mood,Date\na@x.org,9,fine,2026-02-01\nb@x.org,11,,2026-03-01\nc@x.org,8,,2026-02-09\nd@x.org,8,,';
    const { status, stdout, stderr } = await admin.run(...flagsOf(tenant, fileOf(text)));
    const lines = [
      'email "Email"',
      'unused "Mood"',
      'rows 4',
      'without time 1 (get',
      'rejected 1 (has a rating that is',
    ];
    const times = 'times 2026-02-01T00:00:00.000Z to 2026-02-09T00:00:00.000Z';
    expect(status).toBe(0);
    for (const line of [...lines, times]) expect(stderr.replaceAll(/ +/g, ' ')).toContain(line);
    expect(stdout).toMatch(/^3 imported, 0 skipped/);
  });

  it.each([
    ['are unused', { mood: 'fine' }, { email: null, text: null }, ['mood'], []],
    [
      'are columns',
      { email: 'A@x.org', mood: 'fine', comment: 'Good' },
      { email: 'email', text: 'comment' },
      ['mood'],
      [],
    ],
    ['name the person', { email: 'A@x.org' }, { email: 'email', text: null }, [], ['who']],
  ])('reads JSON lines whose last keys %s', async (_, last, named, unused, without) => {
    const tenant = await service.tenant();
    const early = Array.from({ length: 1_200 }, (_, person) => {
      const line = { user_id: `person-${person}`, rating: 5 };
      return JSON.stringify(without.length === 0 ? line : { who: 'x', rating: 5 });
    });
    const text = [...early, JSON.stringify({ user_id: 'ann', rating: 9, ...last })].join('\n');
    const { read } = await importText(tenant, text, '--dry-run');
    const columns = { respondent_id: 'user_id', rating: 'rating', at: null, id: null, ...named };
    expect(read).toMatchObject({ columns, unused: [...without, ...unused], rows: 1_201 });
    expect(read.problems).toEqual(
      without.length === 0 ? [] : [{ message: 'has neither email nor respondent_id', rows: 1_200 }],
    );
  });

  it('exits with 2 when no column is the time or the comment, until the operator decides', async () => {
    const tenant = await service.tenant();
    const file = fileOf('Email,Score,Words,When\na@x.org,9,I like it a lot because it is fast,2026-02-01');
    const run = (...more: string[]) => admin.run(...flagsOf(tenant, file), ...more);
    const noTime = `error: ${file}: no column is the time, but "When" holds times; name it with --column at="When" (--column at=none dates all answers to now).\n`;
    expect(await run()).toEqual({ status: 2, stdout: '', stderr: noTime });
    const named = await run('--column', 'at=When');
    expect(named).toMatchObject({ status: 2, stderr: expect.stringContaining('--column text="Words"') });
    expect((await exportOf(tenant, { email: 'a@x.org' })).status).toBe(404);
    expect((await run('--column', 'at=none', '--column', 'text=none')).status).toBe(0);
  });

  it('stores answers to questions, completes and redacts them, and reports those that it drops', async () => {
    const code = { code: 'dev', label: 'Developer' };
    const questions: SurveyQuestion[] = [
      { id: 'role', kind: 'one', text: 'Your role?', choices: [code], ratings: [9] },
      { id: 'use', kind: 'many', text: 'What for?', choices: [code] },
      { id: 'more', kind: 'text', text: 'Anything else?' },
    ];
    const tenant = await service.tenant({ redact: true }, [aSurvey({}, { questions })]);
    const answersOf = async () =>
      (await exportOf(tenant, {})).body.responses
        .map(({ respondentId, answers }: Row) => [respondentId, answers])
        .sort();
    const header = 'respondent_id,rating,at,answers.role,answers.use,answers.more,answers.nope';
    const lines = (ann: string) => [header, `ann,3,2026-01-02,${ann}`, 'bob,3,2026-01-02,,,,'].join('\n');
    expect(await importText(tenant, lines('dev,dev x,,'))).toMatchObject({
      imported: 2,
      read: {
        columns: { text: null },
        unused: ['answers.nope'],
        dropped: [{ path: 'answers.use.1', rows: 1 }],
      },
    });
    expect(await answersOf()).toEqual([
      ['ann', { role: 'dev', use: ['dev'] }],
      ['bob', null],
    ]);
    const corrected = lines('dev,-,Write to ann@example.com,');
    expect(await importText(tenant, corrected)).toMatchObject({ completed: 1, redacted: 1, skipped: 1 });
    expect(await importText(tenant, corrected)).toMatchObject({ completed: 0, skipped: 2 });
    expect(await answersOf()).toEqual([
      ['ann', { role: 'dev', use: ['dev'], more: expect.stringMatching(/^Write to \[/) }],
      ['bob', null],
    ]);
    const json = JSON.stringify({ email: 'cy@example.com', rating: 9, answers: ['dev'] });
    expect((await importText(tenant, json)).read.dropped).toEqual([{ path: 'answers', rows: 1 }]);
  });

  it('resumes an interrupted import without storing an answer twice', async () => {
    const tenant = await service.tenant();
    const lines = Array.from({ length: 12 }, (_, index) => `person-${index % 9},${index % 11}`);
    const file = fileOf(['respondent_id,rating', ...lines].join('\n'));
    const { project, surveys } = tenant;
    const target = { projectId: project.id, surveyId: surveys[0]?.id ?? '' };
    let stored = 0;
    const interrupted = importFile({
      file,
      survey: { content: { type: 'nps', question: 'How?' } } as Survey,
      columns: {},
      now: service.clock.now,
      storeMany: async () => [],
      store(row, earlier) {
        if (stored === 5) throw new Error('killed');
        stored += 1;
        return imports(service.service).store(target, row, service.clock.now(), earlier);
      },
      assertNotPurged: async () => undefined,
      onProgress: () => undefined,
    });
    await expect(interrupted).rejects.toThrow('killed');
    service.clock.advance(60 * SECOND);
    expect(await admin.json(...flagsOf(tenant, file))).toMatchObject({
      imported: 7,
      skipped: 5,
      completed: 0,
    });
    expect(await admin.json(...flagsOf(tenant, file))).toMatchObject({ imported: 0, skipped: 12 });
  });

  it('takes few calls for new lines and for stored ones, and their number is proportional to the lines', async () => {
    const { client, take } = createRecordingClient(service.table.endpoint);
    const recorded = createAdminCli(service, { client });
    const callsFor = async (count: number) => {
      const tenant = await service.tenant();
      const lines = Array.from(
        { length: count },
        (_, index) => `person-${index},5,2026-01-02,"so, ${index}"`,
      );
      const flags = flagsOf(tenant, fileOf(['respondent_id,rating,at,text', ...lines].join('\n')));
      const calls: number[] = [];
      for (const expected of [{ imported: count }, { skipped: count }]) {
        take();
        expect(await recorded.json(...flags)).toEqual(report(expected));
        const isOfLines = ({ operation }: { operation: string }) => /^(Batch|Transact)/.test(operation);
        calls.push(take().filter(isOfLines).length);
      }
      return calls;
    };
    expect(await callsFor(50)).toEqual([6, 4]);
    expect(await callsFor(500)).toEqual([60, 40]);
  });

  it('leaves lines of known and erased people and repeated people to a closer look', async () => {
    const tenant = await service.tenant({}, [aSurvey(), aSurvey()]);
    const { secretKey } = tenant;
    await importText(tenant, 'respondent_id,rating,at\nann,1,2026-01-02\nbob,2,2026-01-02\neve,3,2026-01-02');
    await service.call(erase, { secretKey, query: { respondentId: 'eve' } });
    const text = [
      'respondent_id,email,rating,text,at',
      'ann,,1,now with words,2026-01-02',
      'ann,,9,another answer,2026-01-03',
      'bob,,2,,2026-01-02',
      'eve,,3,,2026-01-02',
      'eve-2,eve@example.org,4,,2026-01-02',
      ',eve@example.org,4,,2026-01-02',
      'new,,5,,2026-01-02',
      'new,,6,,2026-01-03',
      'new,,6,,2026-01-03',
    ].join('\n');
    const first = { imported: 5, completed: 1, skipped: 3 };
    expect(await importText(tenant, text)).toEqual(report(first));
    expect(await importText(tenant, text)).toEqual(report({ skipped: 9 }));
    const { body } = await exportOf(tenant, { respondentId: 'new' });
    expect(body.responses.map(({ rating }: { rating: number }) => rating).sort()).toEqual([5, 6]);
  });

  it('stores each line once when two imports of the same file run at the same time', async () => {
    const tenant = await service.tenant();
    const lines = Array.from({ length: 60 }, (_, index) => `person-${index % 50},${index % 11},2026-01-02`);
    const file = fileOf(['respondent_id,rating,at', ...lines].join('\n'));
    const both = await Promise.all([1, 2].map(() => admin.json(...flagsOf(tenant, file))));
    const sum = (field: 'imported' | 'skipped') => both.reduce((total, each) => total + each[field], 0);
    expect([sum('imported'), sum('skipped')]).toEqual([60, 60]);
    const { body } = await exportOf(tenant, {});
    expect(body.count).toBe(60);
  });

  it('exits with 1 for an unknown project or survey', async () => {
    const tenant = await service.tenant();
    const file = fileOf('email,rating');
    const [, ...rest] = flagsOf(tenant, file);
    expect(
      (await admin.run('import', ...rest.map((flag) => (flag === tenant.project.id ? 'none' : flag)))).status,
    ).toBe(1);
    const slug = tenant.surveys[0]?.content.slug;
    const misspelt = rest.map((flag) => (flag === slug ? `${slug}s` : flag));
    expect(await admin.run('import', ...misspelt)).toEqual(
      failed(1, `There is no survey ${slug}s in project ${tenant.project.id}. Did you mean ${slug}?`),
    );
  });
});

it('checks again whether the project is being purged when a batch takes long', async () => {
  const file = join(temporaryFolder(), 'answers.csv');
  const lines = Array.from({ length: 100 }, (_, index) => `person-${index},5`);
  writeFileSync(file, ['respondent_id,rating', ...lines].join('\n'));
  const clock = createTestClock();
  let isThere = true;
  const stored: string[] = [];
  const importing = importFile({
    file,
    survey: { content: { type: 'csat', question: 'How?' } } as Survey,
    columns: {},
    now: clock.now,
    storeMany: async () => [],
    async store({ respondentId = '' }) {
      stored.push(respondentId);
      if (isThere) {
        isThere = false;
        clock.advance(60 * SECOND);
      }
      return 'imported';
    },
    async assertNotPurged() {
      if (!isThere) throw new Error('is being purged');
    },
    onProgress: () => undefined,
  });
  await expect(importing).rejects.toThrow('is being purged');
  // Only lines that were already in progress may still be stored.
  expect(stored.length).toBeLessThanOrEqual(25);
});
