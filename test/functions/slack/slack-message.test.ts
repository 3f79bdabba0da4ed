import { describe, expect, it } from 'vitest';
import { digestEvent } from '../../../functions/digest/project-digest.ts';
import { answerMessage, digestMessage } from '../../../functions/slack/slack-message.ts';
import { describeEvent } from '../../../functions/stream/describe-event.ts';
import type { ResponseFacts } from '../../../shared/domain/happening.ts';
import type { SurveyType } from '../../../shared/domain/surveys/survey.ts';
import { A_DIGEST, aDigestedSurvey } from '../../support/fixtures/a-digest.ts';
import { aSurvey } from '../../support/fixtures/builders.ts';

const URL = 'https://surveys.example.com';
const WANTED = { events: ['low', 'contact'], includeText: false, url: URL };
type Answer = Parameters<typeof answerMessage>[0];

const asks = { rating: 3, followUpRequested: true };

function anAnswer(facts: Partial<ResponseFacts>, type: SurveyType = 'nps'): Answer {
  const survey = aSurvey({}, { slug: 'checkout', type });
  const base = {
    answerId: 'a',
    answeredAt: '2026-11-20T09:30:00.000Z',
    respondentId: 'ann@example.com',
    surveyId: survey.id,
    source: 'sdk' as const,
  };
  const { revision = 0 } = facts;
  const happening = {
    type: revision === 0 ? ('Response Recorded' as const) : ('Response Revised' as const),
    id: 'e',
    at: '2026-11-20T09:30:00.000Z',
    projectId: 'p',
    response: { ...base, revision, ...facts },
  };
  const options = { deployment: 'canvass-test', includeText: true };
  return describeEvent(happening, survey, options).detail as unknown as Answer;
}

const lineOf = (...args: Parameters<typeof answerMessage>): string | undefined =>
  answerMessage(...args)
    ?.blocks.map(({ text }) => text.text)
    .join('\n');
const LINK = `<${URL}/results#project=p&amp;survey=checkout|View results>`;

describe('an answer', () => {
  it.each([
    ['low', anAnswer({ rating: 3 }), 'Rated 3 on a scale of 0 to 10.'],
    ['low of another scale', anAnswer({ rating: 2 }, 'csat'), 'Rated 2 on a scale of 1 to 5.'],
    ['low in words', anAnswer({ rating: 0 }, 'thumbs'), 'Answered “Thumbs down”.'],
    ['a low choice, by its label', anAnswer({ rating: 0 }, 'choice'), 'Answered “Too expensive”.'],
    ['an open question', anAnswer(asks, 'open'), 'Answered. They asked to be contacted.'],
    [
      'a revision to a low choice',
      anAnswer({ rating: 0, revision: 1, before: { rating: 1 } }, 'choice'),
      'Answer changed to “Too expensive”.',
    ],
    [
      'a contact request',
      anAnswer({ rating: 9, followUpRequested: true }),
      'Rated 9 on a scale of 0 to 10. They asked to be contacted.',
    ],
    ['both, in one line', anAnswer(asks), 'Rated 3 on a scale of 0 to 10. They asked to be contacted.'],
    [
      'a revision to a low rating',
      anAnswer({ ...asks, revision: 1, before: { rating: 9, followUpRequested: true } }),
      'Rating changed to 3 on a scale of 0 to 10.',
    ],
    [
      'a revision that asks for contact',
      anAnswer({ ...asks, revision: 2, before: { rating: 3 } }),
      'Rated 3 on a scale of 0 to 10. They now ask to be contacted.',
    ],
  ])('is one line: %s', (_what, detail, said) => {
    expect(lineOf(detail, WANTED)).toBe(`*checkout*: ${said} ${LINK}`);
  });

  it('is omitted if it has no news, or none that the channel has selected', () => {
    expect(lineOf(anAnswer({ ...asks, revision: 1, before: asks }), WANTED)).toBeUndefined();
    expect(lineOf(anAnswer({ rating: 9 }), WANTED)).toBeUndefined();
    expect(lineOf(anAnswer({ rating: 3 }), { ...WANTED, events: ['contact', 'digest'] })).toBeUndefined();
    expect(lineOf(anAnswer(asks), { ...WANTED, events: ['low'] })).toBe(
      `*checkout*: Rated 3 on a scale of 0 to 10. ${LINK}`,
    );
  });

  it('has the text only if the channel includes it, and never its author', () => {
    const detail = anAnswer({
      rating: 1,
      text: 'too slow',
      contact: 'ann@example.com',
      traits: { plan: 'pro' },
    });
    expect(lineOf(detail, { ...WANTED, includeText: true })).toBe(
      `*checkout*: Rated 1 on a scale of 0 to 10. “too slow” ${LINK}`,
    );
    expect(JSON.stringify(answerMessage(detail, WANTED))).not.toContain('slow');
    const whole = JSON.stringify(answerMessage(detail, { ...WANTED, includeText: true }));
    expect(whole).not.toMatch(/ann|pro\b/);
    expect(answerMessage(detail, { ...WANTED, includeText: true })?.text).toBe(
      'checkout: Rated 1 on a scale of 0 to 10.',
    );
  });

  it.each([
    [
      '<!channel> & <https://evil.example|Results>',
      '&lt;!channel&gt; &amp; &lt;https://evil.example|Results&gt;',
    ],
    ['one\n\n> two\r\n\u2028three', 'one &gt; two three'],
    ['abc\u202egpj', 'abc gpj'],
    ['x'.repeat(700), `${'x'.repeat(600)}…`],
    ['😀'.repeat(700), `${'😀'.repeat(600)}…`],
  ])('cannot use %j for anything but text', (text, shown) => {
    const message = answerMessage(anAnswer({ rating: 1, text }), { ...WANTED, includeText: true });
    const [block, ...others] = message?.blocks ?? [];
    expect(others).toEqual([]);
    expect(block?.text.text).toBe(`*checkout*: Rated 1 on a scale of 0 to 10. “${shown}” ${LINK}`);
    // Addresses are neither linked nor unfurled.
    expect(block?.text.verbatim).toBe(true);
    expect(message).toMatchObject({ unfurl_links: false, unfurl_media: false });
  });

  it('of a deleted survey contains what is known', () => {
    const detail = { ...anAnswer(asks), surveySlug: null, surveyType: null };
    expect(lineOf(detail, WANTED)).toBe(
      `*New response*: Rated 3. They asked to be contacted. <${URL}/results#project=p|View results>`,
    );
  });
});

describe('a digest', () => {
  const detailOf = (more: Partial<typeof A_DIGEST> = {}) =>
    digestEvent({ digest: { ...A_DIGEST, ...more }, projectId: 'p', deployment: 'canvass-test' })
      .detail as unknown as Parameters<typeof digestMessage>[0];
  const sectionsOf = (more: Partial<typeof A_DIGEST> = {}) =>
    digestMessage(detailOf(more), URL).blocks.map(({ text }) => text.text);

  it('reads as one text', () => {
    expect(sectionsOf().join('\n\n')).toBe(`*Corner shop: survey results for Nov 16 – 22, 2026 (week 47, UTC)*

<https://surveys.example.com/results#project=p&amp;survey=checkout&amp;from=2026-11-16&amp;to=2026-11-22|*checkout*>: How satisfied are you with the checkout?
Satisfied (4 or 5): 80.0%, down 12.5 points from the week before, very likely a real difference
1,240 responses (1,180 the week before), 61 low ratings (1 to 2)

<https://surveys.example.com/results#project=p&amp;survey=nps&amp;from=2026-11-16&amp;to=2026-11-22|*nps*>: How likely are you to recommend us?
Net Promoter Score: 23.4, up 5.1 from the week before, possibly due to chance
41 responses (32 the week before), 7 low ratings (0 to 6)

12 people are waiting to be contacted. <https://surveys.example.com/results#project=p&amp;from=2026-11-16&amp;to=2026-11-22|View results>`);
  });

  it('has at most twenty surveys, and counts the others', () => {
    const surveys = Array.from({ length: 31 }, (_, place) => aDigestedSurvey({ surveySlug: `s-${place}` }));
    const sections = sectionsOf({ surveys, moreSurveys: 4 });
    expect(sections).toHaveLength(23);
    expect(sections.at(-2)).toBe('15 more surveys have responses.');
  });

  it('escapes and shortens name and question', () => {
    const surveys = [aDigestedSurvey({ question: `<!here> ${'?'.repeat(5_000)}` })];
    const sections = sectionsOf({ projectName: 'A & <b>\n*', surveys });
    expect(sections[0]).toContain('*A &amp; &lt;b&gt; *: survey results');
    expect(sections[1]).toContain('&lt;!here&gt; ?');
    for (const section of sections) expect(section.length).toBeLessThan(3_000);
  });
});
