/** The styles of a banner and of a scale of words: only surveys that need them fetch this file. */

export { default as css } from './looks.css';
