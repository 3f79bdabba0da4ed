/** The console's script: from the address to a session, and from a session to what it shows. */

import { render } from 'preact';
import { App } from './shell/app.tsx';

const root = document.getElementById('console');
if (root !== null) render(<App />, root);
