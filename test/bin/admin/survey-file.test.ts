import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AdminError } from '../../../bin/admin/admin-error.ts';
import { readSurveyFile } from '../../../bin/admin/survey/read-survey-file.ts';
import { failed, runInProcess } from '../../support/admin-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

function read(content: string | Uint8Array) {
  const file = join(temporaryFolder(), 's.yaml');
  writeFileSync(file, content);
  try {
    return { surveys: readSurveyFile(file).surveys };
  } catch (error) {
    if (!(error instanceof AdminError)) throw error;
    expect(error.exitStatus).toBe(2);
    return { problems: error.problems.map((line) => line.replace(`${file}:`, '').replace(file, 'the file')) };
  }
}

function warningsIn(content: string): string[] {
  const file = join(temporaryFolder(), 's.yaml');
  writeFileSync(file, content);
  return readSurveyFile(file).warnings.map((line) => line.replace(`${file}:`, ''));
}

const FULL = `
surveys:
  - slug: checkout
    type: csat
    question: How satisfied?
    followUpQuestion: What could be better?
    presentation: banner
    corner: top-left
    trigger: manual
    delayMs: 1500
    samplePercent: 12.5
    priority: -3
    targeting:
      - { trait: plan, op: in, value: [team, pro] }
      - { trait: seats, op: gte, value: 5 }
      - { trait: beta, op: exists }
    endLabels: { low: Bad, high: Good }
    showBadge: true
    reasons:
      - { code: too-slow, label: Too slow }
      - { code: '2nd', label: Second }
    locales:
      pt-BR: { question: Satisfeito?, reasons: { too-slow: Lento }, endLabels: { low: Mau, high: Bom } }
    status: draft
    startsAt: 2026-12-01
    endsAt: 2026-12-31T23:00:00+01:00
    limits: { maxResponses: 100, quietPeriod: 12h, ignoreQuietPeriod: true }
`;

const fullDraft = {
  status: 'draft',
  startsAt: '2026-12-01T00:00:00.000Z',
  endsAt: '2026-12-31T22:00:00.000Z',
  limits: { maxResponses: 100, quietPeriodMs: 43_200_000, ignoreQuietPeriod: true },
  content: {
    slug: 'checkout',
    type: 'csat',
    question: 'How satisfied?',
    followUpQuestion: 'What could be better?',
    presentation: 'banner',
    corner: 'top-left',
    trigger: 'manual',
    delayMs: 1500,
    samplePercent: 12.5,
    priority: -3,
    targeting: [
      { trait: 'plan', op: 'in', value: ['team', 'pro'] },
      { trait: 'seats', op: 'gte', value: 5 },
      { trait: 'beta', op: 'exists' },
    ],
    endLabels: { low: 'Bad', high: 'Good' },
    showBadge: true,
    reasons: [
      { code: 'too-slow', label: 'Too slow' },
      { code: '2nd', label: 'Second' },
    ],
    locales: {
      'pt-BR': {
        question: 'Satisfeito?',
        reasons: { 'too-slow': 'Lento' },
        endLabels: { low: 'Mau', high: 'Bom' },
      },
    },
  },
};

const withFields = (...lines: string[]) =>
  ['surveys:\n  - slug: a', 'type: nps', 'question: Q?', ...lines].join('\n    ');

describe('a survey file', () => {
  it('is read from YAML with every field', () => {
    expect(read(FULL)).toEqual({ surveys: [fullDraft] });
  });

  it('is read from JSON with tabs and a byte order mark', () => {
    const json = {
      surveys: [{ slug: 'a', type: 'nps', question: 'Q?', limits: { quietPeriod: 0 } }],
    };
    expect(read(`\uFEFF${JSON.stringify(json, null, '\t')}`)).toEqual({
      surveys: [
        {
          status: 'active',
          limits: { quietPeriodMs: 0 },
          content: { slug: 'a', type: 'nps', question: 'Q?', presentation: 'corner', trigger: 'auto' },
        },
      ],
    });
  });

  it('is read as docs/admin.md shows it', () => {
    const page = readFileSync(new URL('../../../docs/admin.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(read(example).surveys).toMatchObject([{ status: 'active', content: { slug: 'checkout' } }]);
  });

  it.each([
    ['90', '5:13: surveys[0].repeat: must be'],
    ['0s', '5:13: surveys[0].repeat: must be'],
    ['36501d', '5:13: surveys[0].repeat: must be'],
    ['sessions', '5:13: surveys[0].repeat: must be'],
    ['[]', '5:13: surveys[0].repeat: must be'],
    ['null', '5:13: surveys[0].repeat: must be'],
    ['{answered: 1x}', '5:24: surveys[0].repeat.answered: must be'],
    ['{dismissed: session}', '5:25: surveys[0].repeat.dismissed: must be'],
    ['{anwered: 90d}', '5:14: surveys[0].repeat.anwered is not a field here. Did you mean answered?'],
  ])('reports `repeat: %s` as one problem with its position', (written, problem) => {
    const { problems } = read(withFields(`repeat: ${written}`));
    expect(problems).toEqual([expect.stringContaining(problem)]);
  });

  it.each([
    ['01234', '1234'],
    ['1.10', '1.1'],
    ['1e3', '1000'],
    ['0x1F', '31'],
    ['+49', '49'],
    ['.5', '0.5'],
  ])('comes with a warning where %s is read as another number', (written, value) => {
    const text = `${written} is read as ${value}. If the page passes it as text, write it in quotes: "${written}".`;
    const field = 'targeting: [{ trait: a, op: eq, value: ';
    expect(warningsIn(withFields(`${field}${written} }]`))).toEqual([`5:44: ${text}`]);
    expect(warningsIn(withFields(`${field}"${written}" }]`))).toEqual([]);
    expect(warningsIn(withFields(`targeting: [{ trait: a, op: in, value: [b, ${written}] }]`))).toEqual([
      `5:48: ${text}`,
    ]);
    expect(warningsIn(withFields(`segments: { plan: [${written}] }`))).toEqual([`5:24: ${text}`]);
    expect(warningsIn(withFields(`segments: { plan: {from: trait, values: [${written}]} }`))).toEqual([
      `5:46: ${text}`,
    ]);
  });

  it.each([
    'targeting: [{ trait: a, op: gte, value: 1.50 }]',
    'targeting: [{ trait: a, op: eq, value: 1.5 }]',
    'targeting: [{ trait: a, op: in, value: [-3, 0, true, no] }]',
    'targeting: [{ trait: a, op: eq, value: True }]',
    'samplePercent: 1.50',
  ])('comes without a warning: %s', (field) => {
    expect(warningsIn(withFields(field))).toEqual([]);
  });

  it('comes with a warning where YAML 1.1 reads yes and no as booleans', () => {
    const file = withFields('targeting: [{ trait: a, op: eq, value: no }]');
    expect(warningsIn(`%YAML 1.1\n---\n${file}`)).toEqual([
      '7:44: no is read as false. If the page passes it as text, write it in quotes: "no".',
    ]);
  });

  it('has no line break at the end of a question written with > or |', () => {
    for (const style of ['>', '|'])
      expect(read(withFields().replace('Q?', `${style}\n      Q?`)).surveys?.[0]?.content.question).toBe(
        'Q?',
      );
  });

  it('may have no surveys', () => {
    expect(read('surveys: []')).toEqual({ surveys: [] });
  });
});

const DURATION = 'must be a duration such as 12h or 7d, or 0';
const DAY = 'must be a date, such as 2026-12-01, or a time with its zone, such as 2026-12-01T09:00:00Z';

const WRONG_FIELDS: readonly (readonly [string, string])[] = [
  ['qestion: x', '5:5: surveys[0].qestion is not a field here. Did you mean question?'],
  [
    'endLabels: { low: a, hihg: b, high: b }',
    '5:26: surveys[0].endLabels.hihg is not a field here. Did you mean high?',
  ],
  ['zebra: 1', '5:5: surveys[0].zebra is not a field here.'],
  ['limits: { trait: a }', '5:15: surveys[0].limits.trait is not a field here.'],
  ['limits: { quietPeriod: 7 days }', `5:28: surveys[0].limits.quietPeriod: ${DURATION}`],
  ['limits: { quietPeriod: 7 }', `5:28: surveys[0].limits.quietPeriod: ${DURATION}`],
  ['startsAt: 2026-12-01T09:00:00', `5:15: surveys[0].startsAt: ${DAY}`],
  ['startsAt: 2026-02-30', `5:15: surveys[0].startsAt: ${DAY}`],
  [
    'targeting: [{ trait: a, op: eq, value: [1] }]',
    '5:44: surveys[0].targeting[0].value: must not be a list if op is eq',
  ],
  [
    'targeting: [{ trait: a, op: in, value: 1 }]',
    '5:44: surveys[0].targeting[0].value: must be a list if op is in',
  ],
  ['targeting: [{ trait: a, op: gt }]', '5:17: surveys[0].targeting[0].value: is missing'],
  [
    'targeting: [{ trait: a, op: eq, value: 1e300 }]',
    '5:44: surveys[0].targeting[0].value: must not be that large or small',
  ],
  [
    'targeting: [{ trait: a, op: eq, value: { b: 1 } }]',
    'value: must be text, a number, true, false, null, or a list of these',
  ],
  [
    'locales: { german!: { question: F? } }',
    '5:16: surveys[0].locales.german!: must be a language code such as de or pt-BR',
  ],
  ['samplePercent: 101', '5:20: surveys[0].samplePercent: must be at most 100'],
  ['showBadge: 1', '5:16: surveys[0].showBadge: must be true or false'],
  ['targeting: x', '5:16: surveys[0].targeting: must be a list'],
  ['locales: [de]', '5:14: surveys[0].locales: must be a map'],
  ['priority: 1.5', '5:15: surveys[0].priority: must be a whole number'],
  ['delayMs: -1', '5:14: surveys[0].delayMs: must be at least 0'],
  ['startsAt: 5', '5:15: surveys[0].startsAt: must be a date, such as 2026-12-01, or'],
  [
    'limits: { maxRespones: 1 }',
    '5:15: surveys[0].limits.maxRespones is not a field here. Did you mean maxResponses?',
  ],
  ['limits: { maxResponses: 1.5 }', 'limits.maxResponses: must be a whole number'],
  ['question: R?', '5:5: Map keys must be unique'],
  ['corner: 1', 'corner: must be one of bottom-right, bottom-left,'],
  [
    'followUpQuestion: "\\ud83d"',
    '2:5: surveys[0]: must not have half a character (a lone surrogate) in its texts',
  ],
  ['targeting: &a [*a]', 'an alias refers to a node that contains it.'],
];

const WRONG: readonly (readonly [string, string | Uint8Array, string])[] = [
  ['a field beside surveys', 'survey: []', '1:1: survey is not a field here. Did you mean surveys?'],
  ['a missing field', 'surveys:\n  - slug: a\n    type: nps', '2:5: surveys[0].question: is missing'],
  [
    'a misspelt type',
    withFields().replace('nps', 'npx'),
    '3:11: surveys[0].type: must be one of nps, csat, ces, pmf, thumbs, choice, open. Did you mean nps?',
  ],
  [
    'a wrong slug',
    withFields().replace('slug: a', 'slug: Über'),
    '2:11: surveys[0].slug: must match ^[a-z0-9][a-z0-9-]{0,63}$',
  ],
  [
    'a slug twice',
    `${withFields()}\n  - { slug: a, type: nps, question: R? }`,
    '5:13: surveys[1].slug: must not be the slug of another survey of this file',
  ],
  [
    'an end before the start',
    withFields('startsAt: 2026-12-02', 'endsAt: 2026-12-01'),
    '6:13: surveys[0].endsAt: must be later than startsAt',
  ],
  [
    'more than 8 KiB',
    withFields(`followUpQuestion: ${'ä'.repeat(4_100)}`),
    '2:5: surveys[0]: must be at most 8192 bytes as JSON',
  ],
  [
    '501 surveys',
    `surveys: [${Array.from({ length: 501 }, (_, n) => `{slug: s${n}, type: nps, question: Q}`)}]`,
    '1:10: surveys: must not have more than 500 surveys',
  ],
  ['no map', '- slug: a', '1:1: the file: must be a map'],
  ['nothing', '', '1:1: the file: must be a map'],
  [
    'broken YAML',
    'surveys:\n  - slug: [a\n',
    '3:1: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['broken JSON', '{"surveys": [}', '1:14: Flow map must end with a }'],
  [
    'two documents',
    'surveys: []\n---\nsurveys: []',
    '2:1: Source contains multiple documents; please use YAML.parseAllDocuments()',
  ],
  [
    'aliases without end',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(10)}]\nc: &c [${'*b,'.repeat(10)}]\nsurveys: [${'*c,'.repeat(10)}]`,
    'Excessive alias count',
  ],
  ['an empty question', withFields().replace('Q?', '""'), '4:15: surveys[0].question: must not be empty'],
  ['a missing type', 'surveys: [{ slug: a, question: Q? }]', '1:11: surveys[0].type: is missing'],
  ['no UTF-8', new Uint8Array([0xff, 0xfe, 0x41, 0x00]), 'the file cannot be read: it is not UTF-8 text.'],
];

describe('a problem in a survey file', () => {
  it.each(WRONG_FIELDS)('is reported in a line with its position: %s', (field, problem) => {
    expect(read(withFields(field)).problems).toContainEqual(expect.stringContaining(problem));
  });

  it.each(WRONG)('is reported in a line with its position: %s', (_, content, expected) => {
    expect(read(content).problems).toContainEqual(expect.stringContaining(expected));
  });

  it.each([
    ['no such file', 'missing.yaml', 'ENOENT'],
    ['a folder', '.', 'EISDIR'],
  ])('is reported in a line with its position: %s', (_, name, reason) => {
    const file = join(temporaryFolder(), name);
    expect(() => readSurveyFile(file)).toThrow(
      expect.objectContaining({ exitStatus: 2, message: expect.stringContaining(reason) }),
    );
  });
});

describe('several problems', () => {
  it.each<readonly [string, string, readonly string[]]>([
    [
      'seven mistakes in two surveys',
      `surveys:
  - slug: Checkout
    type: npx
    question: 7
    delayMs: soon
    limits: { quietPeriod: 7, maxRespones: 1 }
  - slug: b
    type: nps
    question: Q?
    color: red
`,
      [
        '2:11: surveys[0].slug: must match ^[a-z0-9][a-z0-9-]{0,63}$',
        '3:11: surveys[0].type: must be one of nps, csat, ces, pmf, thumbs, choice, open. Did you mean nps?',
        '4:15: surveys[0].question: must be text',
        '5:14: surveys[0].delayMs: must be a number',
        '6:28: surveys[0].limits.quietPeriod: must be a duration such as 12h or 7d, or 0',
        '6:31: surveys[0].limits.maxRespones is not a field here. Did you mean maxResponses?',
        '10:5: surveys[1].color is not a field here.',
      ],
    ],
    [
      'two misspelt names in one map',
      withFields('dellayMs: 1', 'coner: top-left'),
      [
        '5:5: surveys[0].dellayMs is not a field here. Did you mean delayMs?',
        '6:5: surveys[0].coner is not a field here. Did you mean corner?',
      ],
    ],
    [
      'slugs that are not unique, beside a survey that is wrong in another way',
      `${withFields('zebra: 1')}
  - { slug: a, type: nps, question: R? }
  - { slug: a, type: nps, question: S? }`,
      [
        '5:5: surveys[0].zebra is not a field here.',
        '6:13: surveys[1].slug: must not be the slug of another survey of this file',
        '7:13: surveys[2].slug: must not be the slug of another survey of this file',
      ],
    ],
    [
      'what concerns several fields, beside a field that is wrong',
      withFields(
        'zebra: 1',
        'startsAt: 2026-12-02',
        'endsAt: 2026-12-01',
        'targeting: [{ op: eq, value: [1] }]',
        `followUpQuestion: ${'x'.repeat(9_000)}`,
      ),
      [
        '2:5: surveys[0]: must be at most 8192 bytes as JSON',
        '5:5: surveys[0].zebra is not a field here.',
        '7:13: surveys[0].endsAt: must be later than startsAt',
        '8:17: surveys[0].targeting[0].trait: is missing',
        '8:34: surveys[0].targeting[0].value: must not be a list if op is eq',
      ],
    ],
    [
      'a wrong day has no order',
      withFields('startsAt: never', 'endsAt: 2026-12-01'),
      [`5:15: surveys[0].startsAt: ${DAY}`],
    ],
    [
      'a field that is given twice, beside a misspelt one',
      withFields('question: R?', 'zebra: 1'),
      ['5:5: Map keys must be unique', '6:5: surveys[0].zebra is not a field here.'],
    ],
    [
      'segments that cannot be told apart',
      withFields('segments: { identityKind: [a], plan: [a, a], 1st: [a], p3: [], p4: [other], p5: [{}] }'),
      [
        '5:17: surveys[0].segments.identityKind: must not be identityKind, because that name is reserved',
        '5:42: surveys[0].segments.plan: must not have the same value twice',
        '5:50: surveys[0].segments.1st: must start with a letter and have up to 64 letters, digits, and the characters _ . and -',
        '5:64: surveys[0].segments.p3: must have at least one value',
        '5:73: surveys[0].segments.p4[0]: must not be other, because all other values are counted under it',
        '5:86: surveys[0].segments.p5[0]: must be text, a number, true, or false',
      ],
    ],
    [
      'segments that are of something else',
      withFields(
        'segments:',
        '  model: { from: lable, values: [a], valeus: b }',
        '  Model: { from: label, values: [a] }',
        '  how: { from: channel, values: [Slack] }',
      ),
      [
        '6:22: surveys[0].segments.model.from: must be one of trait, label, taskType, channel. Did you mean label?',
        '6:42: surveys[0].segments.model.valeus is not a field here. Did you mean value?',
      ],
    ],
    [
      'segments whose names or values can be none of what they are from',
      withFields(
        'segments:',
        '  Model: { from: label, values: [a] }',
        '  how: { from: channel, values: [Slack] }',
        '  taskType: { from: trait, values: [a] }',
      ),
      [
        '6:14: surveys[0].segments.Model: must have the name of a label: up to 32 lowercase letters, digits, and hyphens, starting with a letter',
        '7:12: surveys[0].segments.how: must have channels, which have up to 32 lowercase letters, digits, and hyphens, starting with a letter',
        '8:17: surveys[0].segments.taskType: must have another name, because taskType is reserved for the source “task type”',
      ],
    ],
    [
      'a value that asks for answers without one',
      withFields('segments: { plan: [free, "null"] }'),
      ['5:30: surveys[0].segments.plan[1]: must not be null, which stands for responses without a value'],
    ],
    [
      'reasons of the wrong form, and their labels',
      withFields(
        'reasons: [{ code: Slow, label: "" }, { code: a, label: A, more: 1 }, { code: b }, { code: constructor, label: C }]',
        `locales: { de: { reasons: { a: ${'x'.repeat(61)} } } }`,
      ),
      [
        '5:23: surveys[0].reasons[0].code: must match ^[a-z0-9][a-z0-9-]{0,31}$',
        '5:36: surveys[0].reasons[0].label: must not be empty',
        '5:63: surveys[0].reasons[1].more is not a field here. Did you mean code?',
        '5:74: surveys[0].reasons[2].label: is missing',
        '5:95: surveys[0].reasons[3].code: must be another name, because this one is reserved',
        '6:36: surveys[0].locales.de.reasons.a: must be at most 60 characters',
      ],
    ],
    [
      'a code twice, and a label of a code that there is not',
      withFields(
        'reasons: [{ code: a, label: A }, { code: a, label: B }]',
        'locales: { de: { reasons: { a: X, c: Y } } }',
      ),
      [
        '5:46: surveys[0].reasons[1].code: must not be the code of another reason of this survey',
        '6:42: surveys[0].locales.de.reasons.c: must be the code of a reason of this survey',
      ],
    ],
    [
      'choices of the wrong form, and their labels',
      withFields(
        'choices: [{ code: Price, label: "" }, { code: a, label: A, lo: true }, { code: a, label: B }]',
      ).replace('nps', 'choice'),
      [
        '5:23: surveys[0].choices[0].code: must match ^[a-z0-9][a-z0-9-]{0,31}$',
        '5:37: surveys[0].choices[0].label: must not be empty',
        '5:64: surveys[0].choices[1].lo is not a field here. Did you mean low?',
        '5:84: surveys[0].choices[2].code: must not be the code of another choice of this survey',
      ],
    ],
    [
      'more reasons than anybody reads',
      withFields(`reasons: [${Array.from({ length: 9 }, (_, n) => `{ code: r${n}, label: L }`).join(', ')}]`),
      ['5:14: surveys[0].reasons: must not have more than 8 reasons'],
    ],
    [
      'more segments than are counted',
      withFields('segments: { p1: [a], p2: [a], p3: [a], p4: [a] }'),
      ['5:15: surveys[0].segments: must not have more than 3 segments'],
    ],
    [
      'what every object has, as a key that is chosen',
      withFields(
        'segments: { __proto__: [a], constructor: [a] }',
        'locales: { valueOf: { question: q }, de: { words: { __proto__: { send: x } } } }',
        'words: { constructor: x }',
      ),
      [
        '5:17: surveys[0].segments.__proto__ is not a field here.',
        '5:33: surveys[0].segments.constructor is not a field here.',
        '6:16: surveys[0].locales.valueOf is not a field here.',
        '6:57: surveys[0].locales.de.words.__proto__ is not a field here.',
        '7:14: surveys[0].words.constructor is not a field here.',
      ],
    ],
    [
      'the same in JSON, and behind an alias',
      '{"__proto__": {}, "surveys": [{"slug": "a", "type": "nps", "question": &k "__proto__", "segments": {*k : ["a"]}}]}',
      ['1:2: __proto__ is not a field here.', '1:101: surveys[0].segments.__proto__ is not a field here.'],
    ],
    [
      'no survey at all in the list',
      'surveys: [null, 1]',
      ['1:11: surveys[0]: must be a map', '1:17: surveys[1]: must be a map'],
    ],
  ])('are reported at once, in the order of the file: %s', (_, content, problems) => {
    expect(read(content).problems).toEqual(problems);
  });
});

describe('thousands of nested levels', () => {
  const thousand = (text: string) => text.repeat(5_000);
  const anchors = Array.from(
    { length: 95 },
    (_, at) => `x${at}: &x${at} ${'['.repeat(60)}*x${at - 1}${']'.repeat(60)}`,
  );
  it.each([
    ['brackets', `surveys: ${thousand('[')}${thousand(']')}`],
    ['brackets that are not closed', thousand('[')],
    ['braces', `${thousand('{a: ')}${thousand('}')}`],
    ['dashes', `${thousand('- ')}a`],
    ['keys', `${thousand('? ')}a`],
    ['aliases', ['x-1: &x-1 []', ...anchors].join('\n')],
    ['brackets that the parser reads', `surveys: ${'['.repeat(65)}${']'.repeat(65)}`],
  ])('are refused in one sentence: %s', (_, content) => {
    expect(read(content).problems).toEqual([' lists and maps are nested too deep: 64 levels are read.']);
  });
});

const FILE = `
surveys:
  - { slug: after-checkout, type: nps, question: "How likely? */ alert()" }
  - slug: helpful
    type: thumbs
    question: Was this helpful?
    reasons: [{ code: wrong, label: Wrong }, { code: slow, label: Slow }]
  - slug: why
    type: choice
    question: Why?
    choices: [{ code: price, label: Too expensive }, { code: other, label: Something else, words: true }]
  - slug: more
    type: open
    question: What else?
    questions:
      - { id: use, kind: many, text: What for?, choices: [{ code: a, label: A }, { code: b, label: B }] }
      - { id: effort, kind: scale, text: How easy?, min: 0, max: 7 }
`;

async function types(text: string, name = 'surveys.d.ts') {
  const folder = temporaryFolder();
  const [file, output] = [join(folder, 'surveys.yaml'), join(folder, name)];
  writeFileSync(file, text);
  const ended = await runInProcess(['survey', 'types', '-f', file, '-o', output, '--json']);
  return { ...ended, output, written: existsSync(output) ? readFileSync(output, 'utf8') : undefined };
}

describe('survey types', () => {
  it('writes slugs, types, choices, reasons and questions in the order of the file, without a deployment', async () => {
    const { status, stdout, output, written } = await types(FILE);
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      { output, slugs: ['after-checkout', 'helpful', 'why', 'more'] },
    ]);
    expect(written).toBe(`/** Surveys by slug. Generated from the survey file by \`canvass survey types\`. */
export type Surveys = {
  /** How likely? *\u2215 alert() (0 to 10) */
  "after-checkout": { readonly type: "nps"; readonly reasons: never };
  /** Was this helpful? (0 to 1) */
  "helpful": { readonly type: "thumbs"; readonly reasons: "wrong" | "slow" };
  /** Why? */
  "why": { readonly type: "choice"; readonly reasons: never; readonly choices: "price" | "other" };
  /** What else? */
  "more": { readonly type: "open"; readonly reasons: never; readonly questions: { readonly "use": { readonly kind: "many"; readonly choices: "a" | "b" }; readonly "effort": { readonly kind: "scale" } } };
};
`);
  });

  it('writes no slugs for a file without surveys', async () => {
    expect((await types('surveys: []')).written).toContain('export type Surveys = Record<never, never>;');
  });

  it('writes nothing for a wrong file, and requires both flags', async () => {
    const { status, written } = await types('surveys: [{ slug: a }]');
    expect([status, written]).toEqual([2, undefined]);
    expect(await runInProcess(['survey', 'types', '-f', 'a.yaml'])).toEqual(failed(2, /--output/));
  });
});

describe('survey new', () => {
  const run = (...args: string[]) => runInProcess(['survey', 'new', ...args]);

  it('lists the templates, and prints one as a survey file', async () => {
    expect((await run()).stdout).toMatch(/^TEMPLATE +TYPE +NAME\nnps +nps +NPS with reasons\n/);
    const { status, stdout } = await run('--template', 'feedback', '--language', 'de');
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^surveys:\n {2}# Always /)]);
    expect(stdout).toContain('question: Was möchten Sie uns mitteilen?');
  });

  it('adds a draft to a file and keeps the rest of it, also a comment', async () => {
    const file = join(temporaryFolder(), 'surveys.yaml');
    await run('--template', 'docs', '-f', file);
    writeFileSync(file, `# ours\n${readFileSync(file, 'utf8')}`);
    await run('--template', 'docs', '--slug', 'guides', '-f', file, '--language', 'en,fr');
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# ours\nsurveys:\n[\s\S]*- slug: docs\n[\s\S]*- slug: guides\n/,
    );
    expect(readSurveyFile(file).surveys.map(({ status }) => status)).toEqual(['draft', 'draft']);
  });

  it.each([
    [['--template', 'nope'], /Allowed choices are nps, support/],
    [['--template', 'nps', '--language', 'de,xx'], /--language: xx is not one of en, ar/],
    [['--template', 'nps', '-f', '/proc/surveys.yaml'], /cannot be written/],
  ])('refuses %j', async (args, message) => {
    expect(await run(...args)).toEqual(failed(2, message));
  });

  it('refuses a slug that the file has', async () => {
    const file = join(temporaryFolder(), 'surveys.json');
    await run('--template', 'nps', '-f', file);
    const before = readFileSync(file, 'utf8');
    expect(await run('--template', 'nps', '-f', file)).toEqual(failed(2, /already has a survey recommend/));
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
