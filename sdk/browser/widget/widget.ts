export { kit } from '../client/kit.ts';
export { mount } from './bare.ts';
