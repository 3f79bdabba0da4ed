import { CanvassProvider, InlineSurvey, useCanvass, useCanvassEvent } from '@canvass-surveys/react';
import { StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';

const { VITE_CANVASS_URL, VITE_CANVASS_KEY } = import.meta.env;

// Replace this with your own session. Here the address names the person: ?user=ann
const user = new URLSearchParams(location.search).get('user');

function Shop() {
  const canvass = useCanvass();
  const [isBought, setBought] = useState(false);
  const [answer, setAnswer] = useState('');
  useCanvassEvent('answered', ({ survey, rating }) => setAnswer(`${survey.slug}: ${rating}`));
  return (
    <main>
      <h1>{isBought ? 'Thank you for your order' : 'Your basket'}</h1>
      {isBought ? (
        <InlineSurvey slug="checkout" />
      ) : (
        <button type="button" onClick={() => setBought(true)}>
          Buy
        </button>
      )}
      <footer>
        <button type="button" onClick={() => canvass?.show('miss-us')}>
          What do you think of us?
        </button>
        <output>{answer}</output>
      </footer>
    </main>
  );
}

const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <CanvassProvider clientKey={VITE_CANVASS_KEY} baseUrl={VITE_CANVASS_URL} userId={user}>
        <Shop />
      </CanvassProvider>
    </StrictMode>,
  );
