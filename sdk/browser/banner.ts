/** What is fetched for a banner. */

export { default as css } from './banner.css';
