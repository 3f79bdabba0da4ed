import { createRandom } from '../../../support/random.ts';
import languages from './redaction-languages.json' with { type: 'json' };

/**
 * `{}` is the subject of a sentence, `·` any digit, `•` a digit from 2 to 9. Sources of telephone numbers: ITU-T E.123
 * and national conventions.
 */
export interface Language {
  readonly contact: readonly string[];
  readonly other: readonly string[];
  readonly telephones: readonly string[];
  readonly addresses: readonly string[];
  readonly figures: readonly string[];
}

export const LANGUAGES: Readonly<Record<string, Language>> = languages;

export interface Marked {
  readonly language: string;
  readonly text: string;
  readonly span: string;
  readonly without: string;
}

export interface Corpus {
  readonly marked: readonly Marked[];
  readonly unmarked: readonly { readonly language: string; readonly text: string }[];
}

const FIGURES = [
  ...[
    '202·-0•-1·',
    '202·-0•-1·T1·:·0:·5Z',
    '202·-0•-1· 1·:·0:·5+02:00',
    '1·.0•.202·',
    '0•/1·/2·',
    '0•/202· - 1•/202·',
  ],
  ...['1·:·5', '1·:·5:·0', '08:·0–1•:·0', '09.·0-12.·0', '20··/20··', '202·-202·', '1•.0•. - 2•.0•.'],
  ...[
    '•.·.·',
    'v1·.·.···',
    '10.0.1····.····',
    '•.0.0-rc.·',
    '192.168.·.1·',
    '10.··.··.1··',
    '127.0.0.1:80··',
    '2001:db8::·',
  ],
  ...[
    '#······',
    'A-·····',
    'INV-202·-····',
    'SKU ··-···-··',
    '978-3-16-1·····-·',
    '········',
    '············',
    '················',
  ],
  ...['1··-·······-·······', 'RMA0······', '1Z···W··········', '# 0··· ·····', 'DE•• ···· ···· ···· ···· ··'],
  ...[
    '•··,··',
    '• ··· ···',
    '•.···.···,··',
    '•,···,···',
    '•··%',
    '+•· %',
    '-•··',
    '0.··',
    '+•.··',
    '€ ••· ··· ···',
    '••· ··· ··· €',
  ],
  ...[
    '1·×2·',
    '1920x1080',
    '3• 40 42 44',
    '•/10',
    '1•–2•',
    '•·,· °C',
    '•·· kg',
    '52.52····, 13.4·····',
    '+52.52····',
    '~•··',
  ],
];

const CARDS = [
  ['4', 16, [4, 4, 4, 4], ' '],
  ['4', 16, [16], ''],
  ['53', 16, [4, 4, 4, 4], '-'],
  ['25', 16, [4, 4, 4, 4], ' '],
  ['37', 15, [4, 6, 5], ' '],
  ['34', 15, [15], ''],
  ['36', 14, [4, 6, 4], ' '],
  ['62', 19, [4, 4, 4, 4, 3], ' '],
  ['6011', 16, [4, 4, 4, 4], ' '],
] as const;

const SCRIPTS: Readonly<Record<string, number>> = { ar: 0x660, ja: 0xff10, zh: 0xff10 };
const OWN_DIGITS = 0.3;
const FILLS = 2;

export function redactionCorpus(seed: number): Corpus {
  const random = createRandom(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const filled = (pattern: string): string =>
    pattern.replace(/[·•]/g, (place) => String(place === '•' ? 2 + below(8) : below(10)));
  const inScript = (language: string, text: string): string => {
    const zero = SCRIPTS[language];
    if (zero === undefined || random() >= OWN_DIGITS) return text;
    return text.replace(/\d/g, (digit) => String.fromCharCode(zero + Number(digit)));
  };

  function card([first, length, groups, between]: (typeof CARDS)[number]): string {
    const body = filled(first.padEnd(length - 1, '·'));
    const digits = [...'0123456789'].map((check) => body + check).find(passesCheck) ?? '';
    let from = 0;
    const parts = groups.map((size) => {
      from += size;
      return digits.slice(from - size, from);
    });
    return parts.join(between);
  }

  const marked: Marked[] = [];
  const unmarked: { language: string; text: string }[] = [];
  for (const [language, { contact, other, telephones, addresses, figures }] of Object.entries(LANGUAGES)) {
    for (const sentence of contact) {
      const numbers = [...telephones.map(filled), ...CARDS.map(card)].map((span) => inScript(language, span));
      for (const [word, spans] of [
        ['[number]', numbers],
        ['[e-mail]', addresses],
      ] as const) {
        for (const span of spans) {
          const [text, without] = [span, word].map((part) => sentence.replace('{}', () => part));
          marked.push({ language, span, text: text ?? '', without: without ?? '' });
        }
      }
    }
    for (const sentence of other) {
      for (const pattern of [...FIGURES, ...figures].flatMap((each) => Array<string>(FILLS).fill(each))) {
        const text = sentence.replace('{}', () => inScript(language, filled(pattern)));
        unmarked.push({ language, text });
      }
    }
  }
  return { marked, unmarked };
}

/** Computes Luhn from the left, unlike the code under test. */
function passesCheck(digits: string): boolean {
  const parity = digits.length % 2;
  const sum = [...digits].reduce((total, digit, place) => {
    if (place % 2 !== parity) return total + Number(digit);
    return total + ([0, 2, 4, 6, 8, 1, 3, 5, 7, 9][Number(digit)] ?? 0);
  }, 0);
  return sum % 10 === 0;
}
