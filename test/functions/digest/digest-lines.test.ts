import { expect, it } from 'vitest';
import { digestText, pageAddress } from '../../../functions/digest/digest-lines.ts';
import { readView } from '../../../pages/results/view.ts';
import { A_DIGEST, aDigestedSurvey } from '../../support/fixtures/a-digest.ts';

const URL = 'https://surveys.example.com';

it('reads as one text', () => {
  expect(
    digestText({ projectId: 'p', ...A_DIGEST }, URL),
  ).toBe(`Corner shop: survey results for Nov 16 – 22, 2026 (week 47, UTC)

checkout: How satisfied are you with the checkout?
  Satisfied (4 or 5): 80.0%, down 12.5 points from the week before, very likely a real difference
  1,240 responses (1,180 the week before), 61 low ratings (1 to 2)
  Results: https://surveys.example.com/results#project=p&survey=checkout&from=2026-11-16&to=2026-11-22

nps: How likely are you to recommend us?
  Net Promoter Score: 23.4, up 5.1 from the week before, possibly due to chance
  41 responses (32 the week before), 7 low ratings (0 to 6)
  Results: https://surveys.example.com/results#project=p&survey=nps&from=2026-11-16&to=2026-11-22

12 people are waiting to be contacted.
All results: https://surveys.example.com/results#project=p&from=2026-11-16&to=2026-11-22`);
});

const chosen = (label: string, count: number) => ({
  ...{ rating: 0, code: label.toLowerCase(), label, count },
  share: { value: 10 * count, low: 0, high: 100 },
});
const A_CHOICE = {
  surveyType: 'choice' as const,
  score: null,
  difference: null,
  distribution: [chosen('Other', 4), chosen('None', 0), chosen('Price', 6)],
  lowRatings: 2,
};

it.each([
  [{ openContacts: 0 }, 'No one is waiting to be contacted.'],
  [{ openContacts: 1 }, '1 person is waiting to be contacted.'],
  [{ openContacts: 1_000 }, '1,000 people are waiting to be contacted.'],
  [{ openContacts: 1_000, moreOpenContacts: true }, 'More than 1,000 people are waiting to be contacted.'],
  [
    { openContacts: 0, smallestCell: 5 },
    'No one is waiting to be contacted. This counts only groups of at least 5 responses in the last four weeks.',
  ],
  [{ surveys: [] }, 'There were no responses.'],
  [
    { surveys: [aDigestedSurvey({ difference: null, responsesBefore: 0, fewBefore: true })] },
    '23.4 (too few responses to compare the week before)\n  41 responses (too few to show the week before)',
  ],
  [{ surveys: [aDigestedSurvey({ surveyType: 'thumbs', lowRatings: 1 })] }, ', 1 low rating (thumbs down)'],
  [{ surveys: [], surveysWithFew: 1 }, ', UTC)\n\n1 survey has too few responses to show.\n\n12 people'],
  [{ surveysWithFew: 2 }, '2 surveys have too few responses to show.'],
  [
    { surveys: [aDigestedSurvey({ difference: null, responsesBefore: 3 })] },
    '23.4 (too few responses to compare the week before)',
  ],
  [
    { surveys: [aDigestedSurvey(A_CHOICE)] },
    'recommend us?\n  Most chosen: Price 60.0%, Other 40.0%\n  41 responses (32 the week before), 2 low choices\n',
  ],
  [
    { surveys: [aDigestedSurvey({ ...A_CHOICE, surveyType: 'open', distribution: [], lowRatings: 0 })] },
    'recommend us?\n  41 responses (32 the week before)\n',
  ],
  [{ moreSurveys: 1 }, '1 more survey has responses.'],
  [{ moreSurveys: 31 }, '31 more surveys have responses.'],
  [
    { surveys: [aDigestedSurvey({ difference: null, responsesBefore: 0 })] },
    '23.4 (no responses the week before)',
  ],
  [
    { surveys: [aDigestedSurvey({ difference: { value: -0.04, low: -9, high: 9 } })] },
    '23.4, unchanged from the week before',
  ],
  [
    { surveys: [aDigestedSurvey({ responses: 1, lowRatings: 0 })] },
    '1 response (32 the week before), no low ratings (0 to 6)',
  ],
])('describes %j as: %s', (more, expected) => {
  expect(digestText({ projectId: 'p', ...A_DIGEST, ...more }, URL)).toContain(expected);
});

it('keeps user text on one line and left to right', () => {
  const text = digestText(
    {
      projectId: 'p',
      ...A_DIGEST,
      projectName: 'Shop\r\nBcc: all@example.com\u202e',
      surveys: [aDigestedSurvey({ question: 'Well?\n\n  9 responses' })],
    },
    undefined,
  );
  expect(text).toContain('Shop Bcc: all@example.com: survey results');
  expect(text).toContain('nps: Well? 9 responses');
  expect(text.split('\n')).toHaveLength(7);
});

it('links to the page with project, survey and days', () => {
  const days = { from: '2026-11-16', to: '2026-11-22' };
  const nps = { projectId: 'p', survey: 'nps' };
  const [page, hash = ''] = pageAddress(URL, { ...nps, days }).split('#');
  expect(page).toBe('https://surveys.example.com/results');
  expect(readView(`#${hash}`)).toMatchObject({ project: 'p', survey: 'nps', ...days });
  expect(readView(pageAddress(URL, nps).split('#')[1] ?? '')).toMatchObject({ survey: 'nps', days: '90' });
});
