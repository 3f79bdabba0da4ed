import { describe, expect, it } from 'vitest';
import { createDice, createTeller } from '../../../local/demo/demo-answers.ts';
import { DEMO_SURVEYS } from '../../../local/demo/demo-project.ts';
import { isLow, scaleOf } from '../../../shared/domain/surveys/survey.ts';

const PEOPLE = 600;
const answersOf = (content: (typeof DEMO_SURVEYS)[number]) => {
  const tell = createTeller(content, createDice(1));
  return tell && Array.from({ length: PEOPLE }, (_, index) => tell(index / PEOPLE));
};
const answered = DEMO_SURVEYS.flatMap((content) => {
  const answers = answersOf(content);
  return answers === undefined ? [] : [{ content, answers }];
});

describe.each(answered.map(({ content, answers }) => [content.slug, content, answers] as const))(
  'demo answers to %s',
  (_, content, answers) => {
    const texts = answers.flatMap(({ text }) => text ?? []);

    const hasThumbs = content.type === 'thumbs';
    const isFew = hasThumbs || content.type === 'choice';

    it('have enough different comments, and repeat none before the others', () => {
      expect(new Set(texts).size).toBeGreaterThanOrEqual(isFew ? 12 : 25);
      expect(new Set(texts.slice(0, 12)).size).toBeGreaterThanOrEqual(11);
    });

    it('use the whole scale', () => {
      const { min, max } = scaleOf({ content });
      const ratings = [...new Set(answers.map(({ rating }) => rating))].sort((one, other) => one - other);
      expect(ratings).toEqual(Array.from({ length: max - min + 1 }, (_each, index) => min + index));
    });

    it('use every reason of the survey', () => {
      const codes = content.reasons?.map(({ code }) => code) ?? [];
      const given = answers.flatMap(({ rating, reason }) =>
        reason !== undefined && isLow(content.type, rating) ? [reason] : [],
      );
      expect([...new Set(given)].sort()).toEqual([...codes].sort());
    });

    it.runIf(hasThumbs)('have comments only after a thumb down, as in the widget', () => {
      const more = answers.filter(({ text, followUpRequested }) => text !== undefined || followUpRequested);
      expect([...new Set(more.map(({ rating }) => rating))]).toEqual([0]);
      expect(more.every(({ followUpRequested }) => followUpRequested === undefined)).toBe(true);
    });

    it.skipIf(hasThumbs || content.type === 'open')(
      'include people to contact, most of them with an address',
      () => {
        const asking = answers.filter(({ followUpRequested }) => followUpRequested);
        const addresses = asking.flatMap(({ contact }) => contact ?? []);
        expect(addresses.length).toBeGreaterThan(asking.length / 2);
        expect(addresses.length).toBeLessThan(asking.length);
      },
    );
  },
);

it('shows that people in Germany on the free plan wait for their parcels', () => {
  const recommend = answered.find(({ content }) => content.slug === 'recommend')?.answers ?? [];
  const lowOf = (isOne: (traits: { plan: string; country: string }) => boolean) => {
    const those = recommend.filter(({ traits }) => isOne(traits));
    return those.filter(({ rating }) => isLow('nps', rating)).length / those.length;
  };
  const waits = ({ plan, country }: { plan: string; country: string }) => plan === 'free' && country === 'DE';
  expect(lowOf(waits)).toBeGreaterThan(2 * lowOf((traits) => !waits(traits)));
});
