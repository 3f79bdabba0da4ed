import fc from 'fast-check';

/** One kind of step of a random history, with its weight among the others. */
export const aStep = <Name extends string, Fields extends object>(
  weight: number,
  name: Name,
  fields: { readonly [Key in keyof Fields]: fc.Arbitrary<Fields[Key]> },
) => ({ weight, arbitrary: fc.record(fields).map((values) => ({ do: name, ...values })) });
