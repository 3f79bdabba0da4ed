/** The script of a customer's React app. Tests control it with `window.app`. */

import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { pageOf, type Scene, type Seen } from './scene.tsx';

declare global {
  interface Window {
    app: { readonly render: (scene: Scene) => void; readonly seen: Seen };
  }
}

let root: Root | undefined;
const seen: Seen = { clients: [], answered: [], delivered: [], renders: 0 };

window.app = {
  seen,
  render(scene) {
    const place = document.querySelector('#root');
    if (!place) throw new Error('The page has no root.');
    const page = pageOf({ scene, seen });
    if (root) root.render(page);
    else if (place.hasChildNodes()) root = hydrateRoot(place, page);
    else {
      root = createRoot(place);
      root.render(page);
    }
  },
};
