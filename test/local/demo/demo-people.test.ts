import { describe, expect, it } from 'vitest';
import { createDice } from '../../../local/demo/demo-answers.ts';
import { createTeller } from '../../../local/demo/demo-people.ts';
import { DEMO_SURVEYS } from '../../../local/demo/demo-surveys.ts';
import { isLow, TYPES } from '../../../shared/domain/surveys/survey.ts';

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
  'what people say to %s',
  (_, content, answers) => {
    const texts = answers.flatMap(({ text }) => text ?? []);

    const hasThumbs = content.type === 'thumbs';

    it('has texts enough, and each again only after the others that go with its rating', () => {
      expect(new Set(texts).size).toBeGreaterThanOrEqual(hasThumbs ? 12 : 25);
      expect(new Set(texts.slice(0, 12)).size).toBeGreaterThanOrEqual(11);
    });

    it('is on its scale, and on all of it', () => {
      const { min, max } = TYPES[content.type].scale;
      const ratings = [...new Set(answers.map(({ rating }) => rating))].sort((one, other) => one - other);
      expect(ratings).toEqual(Array.from({ length: max - min + 1 }, (_each, index) => min + index));
    });

    it('names reasons of the survey', () => {
      const codes = content.reasons?.map(({ code }) => code) ?? [];
      const given = answers.flatMap(({ rating, reason }) =>
        reason !== undefined && isLow(content.type, rating) ? [reason] : [],
      );
      expect([...new Set(given)].sort()).toEqual([...codes].sort());
    });

    it.runIf(hasThumbs)('has no more than the widget asks: what was missing, after a thumb down', () => {
      const more = answers.filter(({ text, followUpRequested }) => text !== undefined || followUpRequested);
      expect([...new Set(more.map(({ rating }) => rating))]).toEqual([0]);
      expect(more.every(({ followUpRequested }) => followUpRequested === undefined)).toBe(true);
    });

    it.skipIf(hasThumbs)('has people to be contacted, most of whom leave an address', () => {
      const asking = answers.filter(({ followUpRequested }) => followUpRequested);
      const addresses = asking.flatMap(({ contact }) => contact ?? []);
      expect(addresses.length).toBeGreaterThan(asking.length / 2);
      expect(addresses.length).toBeLessThan(asking.length);
    });
  },
);

it('tells of something to find: in Germany people without a plan wait for their parcels', () => {
  const recommend = answered.find(({ content }) => content.slug === 'recommend')?.answers ?? [];
  const lowOf = (isOne: (traits: { plan: string; country: string }) => boolean) => {
    const those = recommend.filter(({ traits }) => isOne(traits));
    return those.filter(({ rating }) => isLow('nps', rating)).length / those.length;
  };
  const waits = ({ plan, country }: { plan: string; country: string }) => plan === 'free' && country === 'DE';
  expect(lowOf(waits)).toBeGreaterThan(2 * lowOf((traits) => !waits(traits)));
});
