/** A customer's server, which renders the page first. */

import { renderToString } from 'react-dom/server';
import { Page, type Scene } from './scene.tsx';

export const render = (scene: Scene): string => renderToString(<Page scene={scene} />);
