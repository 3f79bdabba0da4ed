import { renderToString } from 'react-dom/server';
import { pageOf, type Scene } from './scene.tsx';

export const render = (scene: Scene): string => renderToString(pageOf({ scene }));
