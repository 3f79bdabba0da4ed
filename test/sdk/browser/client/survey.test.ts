/** The client's wire types equal the contract's, or this does not compile. */

import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import type { AnswerDetail } from '../../../../sdk/browser/client/ask.ts';
import {
  type Binding,
  type BootstrapReply,
  isLowScore,
  type Survey,
  type SurveyTexts,
  type Traits,
} from '../../../../sdk/browser/client/survey.ts';
import type { bootstrapReply, mintReply, responseInput } from '../../../../shared/contract/sdk-schemas.ts';
import type { SurveyDefinition } from '../../../../shared/domain/surveys/survey.ts';

type Contract<T extends () => z.ZodMiniType> = z.infer<ReturnType<T>>;
type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

it('has types that match the contract', () => {
  expectTypeOf<Mutable<BootstrapReply>>().toEqualTypeOf<Mutable<Contract<typeof bootstrapReply>>>();
  expectTypeOf<Contract<typeof mintReply>['bindings'][string]>().toExtend<Binding>();
  expectTypeOf<Survey>().toExtend<SurveyDefinition>();
  expectTypeOf<keyof Survey>().toEqualTypeOf<keyof SurveyDefinition>();
  expectTypeOf<SurveyTexts>().toExtend<NonNullable<SurveyDefinition['locales']>[string]>();
  expectTypeOf<Mutable<AnswerDetail>>().toExtend<Partial<Contract<typeof responseInput>>>();
  expectTypeOf<keyof AnswerDetail>().toExtend<keyof Contract<typeof responseInput>>();
});

it('accepts any traits that a page provides', () => {
  interface Plan {
    plan: string;
    orgs: string[];
  }
  expectTypeOf<Plan>().toExtend<Traits>();
  expectTypeOf<{ seats: number; account: { tier: string } | null }>().toExtend<Traits>();
  expectTypeOf<string>().not.toExtend<Traits>();
});

it.each([
  ['nps', 6, 7],
  ['csat', 2, 3],
  ['ces', 3, 4],
  ['pmf', 0, 1],
  ['thumbs', 0, 1],
] as const)('%s: %i is low, %i is not', (type, low, high) => {
  expect([isLowScore(type, low), isLowScore(type, high)]).toEqual([true, false]);
});

it('calls a choice low if the survey does, whatever its number, and never an open answer', () => {
  const choices = [
    { code: 'gifts', label: 'Gifts', rating: 0 },
    { code: 'none', label: 'Nothing', rating: 7, low: true },
  ];
  expect([0, 1, 7].filter((rating) => isLowScore('choice', rating, choices))).toEqual([7]);
  expect([isLowScore('choice', 0), isLowScore('open', 0)]).toEqual([false, false]);
});
