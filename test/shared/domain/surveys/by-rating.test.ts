import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  joinContent,
  ratingProblems,
  splitContent,
  textsFor,
  thanksOf,
  translateTexts,
} from '../../../../shared/domain/surveys/by-rating.ts';
import type { SurveyContent } from '../../../../shared/domain/surveys/survey.ts';

const wrong = { ratings: [0, 1, 2, 3, 4, 5, 6], question: 'What went wrong?' };
const review = {
  ratings: [9, 10],
  text: 'Thank you!',
  link: { label: 'Review us', url: 'https://x.example' },
};
const plain = { text: 'Thanks.' };
const nps: SurveyContent = {
  ...{ slug: 'nps', type: 'nps', question: 'How likely?', presentation: 'corner', trigger: 'auto' },
  ...{ followUpQuestion: 'Why?', followUps: [wrong], thanks: [review, plain] },
};

describe('the texts of a rating', () => {
  it.each([
    ['an entry that has it', 3, 'What went wrong?', plain],
    ['the texts for all other ratings', 8, 'Why?', plain],
    ['a thank-you message with its link', 10, 'Why?', { text: review.text, link: review.link }],
  ])('are those of %s', (_, rating, followUpQuestion, thanks) => {
    expect(textsFor(nps, rating)).toEqual({ followUpQuestion, thanks });
  });

  it('are those of the first of several entries', () => {
    const followUps = [
      { ratings: [1], question: 'first' },
      { ratings: [1, 2], question: 'second' },
    ];
    expect([1, 2, 3].map((rating) => textsFor({ followUps }, rating).followUpQuestion)).toEqual([
      'first',
      'second',
      undefined,
    ]);
  });

  it('are absent if no entry has the rating and there is no text for all ratings', () => {
    expect(textsFor({ followUps: [wrong], thanks: [review] }, 8)).toEqual({});
    expect(textsFor({ thanks: plain }, 8)).toEqual({ thanks: plain });
  });

  it('are translated entry by entry, and keep the original where a translation is missing', () => {
    const german = { ratings: wrong.ratings, question: 'Was lief schief?' };
    const own = { ...nps, thanks: [review, plain] };
    expect(translateTexts(own, { followUps: [german], thanks: { text: 'Danke.' } })).toEqual({
      followUpQuestion: 'Why?',
      followUps: [german],
      thanks: [review, { text: 'Danke.' }],
    });
    const translated = { ...review, text: 'Danke!' };
    expect(translateTexts(own, { thanks: [translated] })).toMatchObject({ thanks: [translated, plain] });
  });
});

describe('older releases', () => {
  const ratings = fc
    .uniqueArray(fc.integer({ min: 0, max: 10 }), { minLength: 1 })
    .map((list) => list.sort());
  const text = fc.string({ minLength: 1, maxLength: 5 });
  const texts = fc
    .record(
      {
        followUpQuestion: text,
        followUps: fc.array(fc.record({ ratings, question: text }), { minLength: 1, maxLength: 3 }),
        rated: fc.array(fc.record({ ratings, text }), { maxLength: 3 }),
        plain: fc.record({ text }),
      },
      { requiredKeys: [] },
    )
    .map(({ rated = [], plain: other, ...others }) => {
      const thanks = thanksOf(rated, other);
      return { ...others, ...(thanks !== undefined && { thanks }) };
    });
  const content = fc
    .tuple(texts, fc.option(fc.dictionary(fc.constantFrom('de', 'ja'), texts, { noNullPrototype: true })))
    .map(
      ([own, locales]): SurveyContent => ({
        ...{ slug: 'nps', type: 'nps', question: 'How?', presentation: 'corner', trigger: 'auto' },
        ...own,
        ...(locales !== null && { locales }),
      }),
    );

  it('read a form that they know, and the rest beside it completes it', () => {
    fc.assert(
      fc.property(content, (survey) => {
        const { plain: known, added } = splitContent(survey);
        for (const each of [known, ...Object.values(known.locales ?? {})]) {
          expect(each).not.toHaveProperty('followUps');
          expect(Array.isArray(each.thanks)).toBe(false);
        }
        expect(joinContent(known, added)).toEqual(survey);
      }),
    );
  });

  it('change and remove what they know, and the rest stays', () => {
    const locales = { de: { followUps: [wrong] }, fr: { thanks: [{ ...review, text: 'Merci' }] } };
    const { plain: known, added } = splitContent({ ...nps, locales });
    const { followUpQuestion: _, ...changed } = { ...known, thanks: { text: 'Ta.' }, locales: { de: {} } };
    expect(joinContent(changed, added)).toEqual({
      ...{ slug: 'nps', type: 'nps', question: 'How likely?', presentation: 'corner', trigger: 'auto' },
      ...{ followUps: [wrong], thanks: [review, { text: 'Ta.' }], locales: { de: { followUps: [wrong] } } },
    });
  });
});

describe('problems of ratings', () => {
  it.each<[string, Partial<SurveyContent>, string]>([
    ['a rating off the scale', { followUps: [{ ...wrong, ratings: [11] }] }, 'followUps.0.ratings'],
    [
      'a thumb up that is asked for more',
      { type: 'thumbs', followUps: [{ ...wrong, ratings: [1] }], thanks: plain },
      'followUps.0.ratings',
    ],
    [
      'an entry for all other ratings that is not the last one',
      { thanks: [plain, review] },
      'thanks.0.ratings',
    ],
    [
      'a translation of no entry',
      { locales: { de: { thanks: [{ ...review, ratings: [1] }] } } },
      'locales.de.thanks.0.ratings',
    ],
    [
      'a translation of no follow-up question',
      { locales: { de: { followUps: [{ ...wrong, ratings: [1] }] } } },
      'locales.de.followUps.0.ratings',
    ],
  ])('are found for %s', (_, change, path) => {
    const found = ratingProblems({ ...nps, ...change });
    expect(found.map((problem) => problem.path.join('.'))).toEqual([path]);
  });

  it('are not found for thumbs with thanks for both values', () => {
    const thanks = [
      { ratings: [0], text: 'Sorry.' },
      { ratings: [1], text: 'Great!' },
    ];
    expect(ratingProblems({ type: 'thumbs', followUps: [{ ...wrong, ratings: [0] }], thanks })).toEqual([]);
  });
});
