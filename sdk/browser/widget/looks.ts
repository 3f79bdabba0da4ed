/** Styles of banners and word scales. Fetched on demand. */

export { default as css } from './looks.css';
