/** The client's own wire types are the contract's: a drift does not compile. */

import { expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import type {
  Binding,
  BootstrapReply,
  DismissalBody,
  ResponseBody,
  Survey,
  SurveyTexts,
  Traits,
} from '../../../sdk/browser/wire.ts';
import type {
  bootstrapReply,
  dismissalInput,
  mintReply,
  responseInput,
} from '../../../shared/contract/sdk-schemas.ts';
import type { SurveyDefinition } from '../../../shared/domain/surveys/survey.ts';

type Contract<T extends () => z.ZodMiniType> = z.infer<ReturnType<T>>;
type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;

it('says what the contract says', () => {
  expectTypeOf<Mutable<BootstrapReply>>().toEqualTypeOf<Mutable<Contract<typeof bootstrapReply>>>();
  expectTypeOf<Contract<typeof mintReply>['bindings'][string]>().toExtend<Binding>();
  expectTypeOf<Survey>().toExtend<SurveyDefinition>();
  expectTypeOf<keyof Survey>().toEqualTypeOf<keyof SurveyDefinition>();
  expectTypeOf<SurveyTexts>().toExtend<NonNullable<SurveyDefinition['locales']>[string]>();
  expectTypeOf<ResponseBody>().toExtend<Contract<typeof responseInput>>();
  expectTypeOf<DismissalBody>().toExtend<Contract<typeof dismissalInput>>();
  expectTypeOf<keyof ResponseBody>().toExtend<keyof Contract<typeof responseInput>>();
  expectTypeOf<keyof DismissalBody>().toExtend<keyof Contract<typeof dismissalInput>>();
});

it('takes traits as the page has them', () => {
  interface Plan {
    plan: string;
    orgs: string[];
  }
  expectTypeOf<Plan>().toExtend<Traits>();
  expectTypeOf<{ seats: number; account: { tier: string } | null }>().toExtend<Traits>();
  expectTypeOf<string>().not.toExtend<Traits>();
});
