import type { SurveyType } from '../shared/domain/surveys/survey.ts';

interface TypeTexts {
  readonly name: string;
  readonly about: string;
  /** The question of a new survey. */
  readonly question: string;
  /** Default meanings of the lowest and the highest value. */
  readonly ends: readonly [low: string, high: string];
  /** Names for groups of ratings that count alike, lowest first. For types shown as words, these are the words. */
  readonly parts: readonly string[];
  readonly score: string;
  readonly scoreAbout: string;
}

export const TYPE_TEXTS: Readonly<Record<SurveyType, TypeTexts>> = {
  nps: {
    name: 'NPS',
    about: 'How likely people are to recommend you, from 0 to 10.',
    question: 'How likely are you to recommend us to a friend or colleague?',
    ends: ['Not at all likely', 'Extremely likely'],
    parts: ['Detractors', 'Passives', 'Promoters'],
    score: 'Net Promoter Score',
    scoreAbout: 'Percentage of promoters (9–10) minus percentage of detractors (0–6).',
  },
  csat: {
    name: 'CSAT',
    about: 'How satisfied people are, with five faces.',
    question: 'How satisfied are you with us?',
    ends: ['Very dissatisfied', 'Very satisfied'],
    parts: ['Dissatisfied', 'Neutral', 'Satisfied'],
    score: 'Satisfied (4 or 5)',
    scoreAbout: 'Percentage of people who answered 4 or 5.',
  },
  ces: {
    name: 'CES',
    about: 'How easy something was, from 1 to 7.',
    question: 'We made it easy for you to get this done.',
    ends: ['Strongly disagree', 'Strongly agree'],
    parts: ['Disagree', 'Neutral', 'Agree'],
    score: 'Customer Effort Score (average, 1 to 7)',
    scoreAbout: 'Average rating from 1 to 7. Ratings of 5 to 7 count as “agree”.',
  },
  pmf: {
    name: 'Product-market fit',
    about: 'How people would feel without your product, with three answers.',
    question: 'How would you feel if you could no longer use this?',
    ends: ['Not disappointed', 'Very disappointed'],
    parts: ['Not disappointed', 'Somewhat disappointed', 'Very disappointed'],
    score: 'Would be very disappointed',
    scoreAbout: 'Percentage of people who would be very disappointed.',
  },
  thumbs: {
    name: 'Thumbs',
    about: 'Whether something helped, with thumbs up or down.',
    question: 'Was this helpful?',
    ends: ['Not helpful', 'Helpful'],
    parts: ['Thumbs down', 'Thumbs up'],
    score: 'Thumbs up',
    scoreAbout: 'Percentage of ratings that are thumbs up.',
  },
  choice: {
    name: 'Choice',
    about: 'Which answer people choose from a list of yours.',
    question: 'What do you use us for most?',
    ends: ['', ''],
    parts: [],
    score: '',
    scoreAbout: '',
  },
  open: {
    name: 'Open question',
    about: 'What people say in their own words, without a rating.',
    question: 'What could we do better?',
    ends: ['', ''],
    parts: [],
    score: '',
    scoreAbout: '',
  },
};
