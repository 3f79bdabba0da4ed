/** What is fetched when a survey is about to be shown, or an answer waits to be sent. */

export { createAsking } from './bare.ts';
export { kit } from './kit.ts';
