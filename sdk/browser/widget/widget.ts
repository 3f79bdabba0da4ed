export { kit } from '../client/kit.ts';
export { createAsker } from './bare.ts';
