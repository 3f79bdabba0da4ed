/** For the tests of an app: a provider whose client a test holds in its hands. */

import { createFakeCanvass, type FakeCanvass } from '@canvass-surveys/browser/testing';
import { createElement, type ReactElement, type ReactNode, useMemo } from 'react';
import { ProvidedContext } from './provided.ts';

export {
  type Ask,
  createFakeCanvass,
  type FakeAnswer,
  type FakeCanvass,
  type FakeSurvey,
} from '@canvass-surveys/browser/testing';

/** What the provider of a test takes. */
export interface CanvassTestProviderProps {
  /** The client of the components within; without it one of its own that nobody sees. */
  readonly canvass?: FakeCanvass | undefined;
  /** Who is signed in. */
  readonly userId?: string | null | undefined;
  readonly children?: ReactNode;
}

/**
 * In place of `CanvassProvider`: no network, and nothing of the browser but elements. `Feedback` draws two buttons, named
 * `Thumbs up` and `Thumbs down`.
 *
 * @example
 * const canvass = createFakeCanvass();
 * render(<CanvassTestProvider canvass={canvass}><Chat /></CanvassTestProvider>);
 * fireEvent.click(screen.getByRole('button', { name: 'Thumbs down' }));
 * expect(canvass.answers).toMatchObject([{ rating: 0 }]);
 */
export function CanvassTestProvider({ canvass, userId, children }: CanvassTestProviderProps): ReactElement {
  const value = useMemo(
    () => ({ canvass: canvass ?? createFakeCanvass(), userId: userId ?? '' }),
    [canvass, userId],
  );
  return createElement(ProvidedContext.Provider, { value }, children);
}
