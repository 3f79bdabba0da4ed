/** What is fetched when a survey is about to be shown, or an answer waits to be sent. */

export { present } from './ask-view.ts';
export { createAsking } from './asking.ts';
