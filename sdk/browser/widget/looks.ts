export { default as css } from './looks.css';
