import type { Service } from '../runtime/compose.ts';

export type PurgeStepHandler = (input: unknown) => Promise<object>;

/** A step awaiting its service. */
export type PurgeStep = (service: Service) => PurgeStepHandler;
