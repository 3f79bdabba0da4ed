import * as z from 'zod/mini';

/** A schema with a description for the OpenAPI document. */
export const described = <Schema extends z.ZodMiniType>(schema: Schema, description: string): Schema =>
  schema.check(z.meta({ description }));
