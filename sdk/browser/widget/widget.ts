/** Fetched when a survey is about to be shown, or when an answer waits to be sent. */

export { kit } from '../client/kit.ts';
export { createAsker } from './bare.ts';
