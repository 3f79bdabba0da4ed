/** What is fetched for a banner, and for a scale of words. */

import banner from './banner.css';
import worded from './worded.css';

export const css = worded + banner;
