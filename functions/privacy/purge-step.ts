import type { Service } from '../runtime/compose.ts';

export type PurgeStepHandler = (input: unknown) => Promise<object>;

export type PurgeStep = (service: Service) => PurgeStepHandler;
