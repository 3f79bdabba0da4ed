import { expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/mini';
import { type Calls, createCalls } from '../../../sdk/server/calls.ts';
import type { Issue } from '../../../sdk/server/canvass-error.ts';
import { clientCalls, isFilter } from '../../../shared/contract/clients/calls.ts';
import type { ErrorCode } from '../../../shared/contract/clients/wire-types.ts';
import type * as errors from '../../../shared/contract/errors.ts';
import type { routes } from '../../../shared/contract/routes.ts';

it('sends each call as the route table defines it', () => {
  const sent: object[] = [];
  const calls = createCalls<never>((endpoint) => {
    sent.push(endpoint);
    return new Promise(() => {});
  });
  const methods = new Map<string, (given: object) => unknown>(Object.entries(calls));
  const expected = clientCalls().map(({ name, route, input, proof, isLong }) => {
    methods.get(route.typescriptName ?? name)?.({ id: 'a/b' });
    return {
      method: route.method,
      path: route.path.replace('{id}', 'a%2Fb'),
      replyField: proof,
      ...(isLong && { isLong }),
      ...(input.some((field) => isFilter(route, field)) && { hasFilters: true }),
    };
  });
  expect(sent).toEqual(expected);
  expect(methods.size).toBe(expected.length);
});

type Routes = typeof routes;
type Opened = {
  [Name in keyof Routes]: Routes[Name] extends { readonly key: 'secret' } ? Name : never;
}[keyof Routes];
type Made = Calls<'options'>;
type CallOf<Name> = Name extends Opened
  ? Routes[Name] extends { readonly typescriptName: infer Call }
    ? Call
    : Name
  : never;
type Method<Name> = CallOf<Name> extends keyof Made ? Made[CallOf<Name>] : never;

type FieldNames<Kinds> = Kinds extends unknown ? keyof Kinds : never;
type Field<Kinds, Name> = Kinds extends unknown ? (Name extends keyof Kinds ? Kinds[Name] : never) : never;
type Plain<Kinds> = { [Name in FieldNames<Kinds>]: Exclude<Field<Kinds, Name>, undefined> };
type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

type Wrong<Checked> = { [Name in keyof Checked]: Checked[Name] extends true ? never : Name }[keyof Checked];

it('has a call for each route that a secret key opens, with the types that the schemas infer', () => {
  expectTypeOf<keyof Made>().toEqualTypeOf<{ [Name in Opened]: CallOf<Name> }[Opened]>();
  type Replies = {
    [Name in Opened]: Same<
      z.output<ReturnType<Routes[Name]['success']['schema']>>,
      Awaited<ReturnType<Method<Name>>>
    >;
  };
  // Surveys that may not be asked have no binding.
  expectTypeOf<Wrong<Replies>>().toEqualTypeOf<'mintTokens'>();
  type Sent = z.output<ReturnType<Routes['mintTokens']['success']['schema']>>;
  type Minted = Awaited<ReturnType<Made['mintTokens']>>;
  expectTypeOf<Sent>().toExtend<Minted>();
  expectTypeOf<keyof Minted>().toEqualTypeOf<keyof Sent>();
  expectTypeOf<Minted['bindings'][string]>().toEqualTypeOf<Sent['bindings'][string] | undefined>();
  type Taken<Name extends Opened> = Exclude<Parameters<Method<Name>>[0], 'options' | undefined>;
  type Inputs = {
    [Name in Opened]: [Taken<Name>] extends [never]
      ? Same<z.output<ReturnType<Routes[Name]['input']>>, Record<string, never>>
      : Same<Plain<z.output<ReturnType<Routes[Name]['input']>>>, Plain<Taken<Name>>>;
  };
  // Query flags may be booleans, nested optional fields may be undefined, and surveys are written differently from how
  // they are read.
  expectTypeOf<Wrong<Inputs>>().toEqualTypeOf<'erase' | 'ackScores' | 'putDefinitions' | 'createPreview'>();
  expectTypeOf<ErrorCode>().toEqualTypeOf<errors.ErrorCode>();
  expectTypeOf<Issue>().toEqualTypeOf<errors.Issue>();
});
