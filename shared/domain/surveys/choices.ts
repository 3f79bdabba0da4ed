/** Surveys of the types `choice` and `open`, or that the person opens (docs/contract.md §6.10 and §6.11). */

import {
  hasScale,
  type KnownChoice,
  type Survey,
  type SurveyContent,
  type SurveyStatus,
  type SurveyTexts,
  type SurveyType,
} from './survey.ts';

/** Offered at a time. */
export const MOST_CHOICES = 8;
/** The rating is the number of a choice, and ratings are at most 10. */
export const MOST_CHOICES_EVER = 11;

interface TypeProblem {
  readonly path: readonly string[];
  readonly message: string;
}

type Texts = Omit<SurveyTexts, 'choices' | 'questions' | 'reasons' | 'words'> & {
  readonly reasons?: unknown;
  readonly words?: SurveyContent['words'];
};

/** Fields that no text of the type may have. */
function unfitting(type: SurveyType, { endLabels, words, followUps, thanks, ...texts }: Texts): string[][] {
  const ofScale = { endLabels, 'words.values': words?.values, followUps };
  const ofOpen = { followUpQuestion: texts.followUpQuestion, reasons: texts.reasons };
  const unfit = { ...(!hasScale(type) && ofScale), ...(type === 'open' && ofOpen) };
  const byRating = !hasScale(type) && Array.isArray(thanks) ? [['thanks']] : [];
  const names = Object.entries(unfit).filter(([, value]) => value !== undefined);
  return [...names.map(([name]) => name.split('.')), ...byRating];
}

export function typeProblems(
  survey: Pick<SurveyContent, 'type' | 'choices' | 'shuffle' | 'locales'> & Texts,
): TypeProblem[] {
  const { type, choices, shuffle, locales = {}, ...texts } = survey;
  const message = `must be absent with type: ${type}`;
  const own = type === 'choice' ? [] : Object.entries({ choices, shuffle });
  const ofLocales = Object.entries(locales).flatMap(([tag, translated]) =>
    unfitting(type, translated).map((path) => ['locales', tag, ...path]),
  );
  return [
    ...(type === 'choice' && choices === undefined
      ? [
          {
            path: ['choices'],
            message: `is missing. A survey of type choice has 2 to ${MOST_CHOICES} choices`,
          },
        ]
      : []),
    ...own
      .filter(([, value]) => value !== undefined)
      .map(([name]) => ({ path: [name], message: 'must be absent unless type is choice' })),
    ...[...unfitting(type, texts), ...ofLocales].map((path) => ({
      path,
      message: path.includes('thanks') ? `must be a map with type: ${type}` : message,
    })),
  ];
}

/** Fields that older releases must not read. */
export interface AddedType {
  readonly type: SurveyType;
  readonly trigger?: 'person' | undefined;
  readonly status: SurveyStatus;
  readonly choices?: SurveyContent['choices'];
  readonly shuffle?: boolean | undefined;
  readonly choicesEver?: readonly KnownChoice[] | undefined;
  /** The labels by language. */
  readonly labels?: Readonly<Record<string, Record<string, string>>>;
}

type Stored = Pick<Survey, 'content' | 'status' | 'choicesEver'>;

/** Replaces a type without a scale: older releases accept every number of a choice as an NPS rating. */
const KNOWN_TYPE = 'nps';

/** Older releases read a paused survey of a type that they know. */
export function splitType({ content, status, choicesEver }: Stored): {
  readonly known: Stored;
  readonly added: AddedType | undefined;
} {
  const { type, trigger, choices, shuffle, locales, ...texts } = content;
  const isByPerson = trigger === 'person';
  if (hasScale(type) && !isByPerson) return { known: { content, status, choicesEver }, added: undefined };
  const parts = Object.entries(locales ?? {}).map(([tag, { choices: labels, ...others }]) => ({
    tag,
    labels,
    others,
  }));
  const labels = Object.fromEntries(
    parts.flatMap((part) => (part.labels === undefined ? [] : [[part.tag, part.labels]])),
  );
  const others = Object.fromEntries(parts.map((part) => [part.tag, part.others]));
  return {
    known: {
      content: {
        ...texts,
        type: hasScale(type) ? type : KNOWN_TYPE,
        trigger: isByPerson ? 'manual' : trigger,
        ...(locales !== undefined && { locales: others }),
      },
      status: status === 'active' ? 'paused' : status,
    },
    added: { type, ...(isByPerson && { trigger }), status, choices, shuffle, choicesEver, labels },
  };
}

/** Drops what an older release, which takes the survey for NPS, added. */
function fitted<Each extends Texts>(type: SurveyType, texts: Each): Each;
function fitted(type: SurveyType, texts: Texts): object {
  const unfit = unfitting(type, texts).map(([name]) => name);
  return Object.fromEntries(Object.entries(texts).filter(([name]) => !unfit.includes(name)));
}

/** An older release can archive the survey and change its texts. */
export function joinType(known: Stored, added: AddedType | undefined): Stored {
  if (added === undefined) return known;
  const { locales, on, delayMs, samplePercent, ...texts } = known.content;
  const { type, trigger, choices, shuffle, choicesEver, labels = {} } = added;
  const translated = Object.entries(locales ?? {}).map(([tag, each]) => {
    const own = labels[tag];
    return [tag, { ...fitted(type, each), ...(own !== undefined && { choices: own }) }] as const;
  });
  return {
    content: {
      ...fitted(type, texts),
      type,
      ...(trigger === undefined ? { on, delayMs, samplePercent } : { trigger }),
      ...(choices !== undefined && { choices }),
      ...(shuffle !== undefined && { shuffle }),
      ...(locales !== undefined && { locales: Object.fromEntries(translated) }),
    },
    status: known.status === 'paused' ? added.status : known.status,
    ...(choicesEver !== undefined && { choicesEver }),
  };
}
