import { describe, expect, it } from 'vitest';
import { describeTyped, newSurvey } from '../../../../pages/console/rules/edited-survey.ts';

const PRO = { trait: 'plan', op: 'eq', value: 'pro' } as const;

describe('of whom a survey is, while it is typed', () => {
  it('leaves out what has only been begun', () => {
    const begun = describeTyped({
      ...newSurvey('nps', []),
      targeting: [PRO, { trait: '', op: 'eq', value: '' }, { trait: 'role', op: 'in', value: [] }],
      pages: [''],
      on: { event: '' },
    });
    expect(begun.sentence).toBe('People with plan = pro, once.');
  });

  it('says what is whole', () => {
    const whole = describeTyped({
      ...newSurvey('nps', []),
      targeting: [PRO, { trait: 'team', op: 'exists' }],
      pages: ['/orders'],
      on: { event: 'order-paid' },
    });
    expect(whole.sentence).toBe(
      'People with plan = pro and any team, on /orders, once order-paid has happened, once.',
    );
  });
});
