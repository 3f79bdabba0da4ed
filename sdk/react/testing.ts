/** Provides a fake client for an app's tests. */

import { createFakeCanvass, type FakeCanvass } from '@canvass-surveys/browser/testing';
import { createElement, type ReactElement, type ReactNode, useMemo } from 'react';
import { nameOf } from '../browser/client/eligibility.ts';
import { ProvidedContext } from './provided.ts';

export {
  type Ask,
  createFakeCanvass,
  type FakeAnswer,
  type FakeCanvass,
  type FakeSurvey,
} from '@canvass-surveys/browser/testing';

/** Props of the test provider. */
export interface CanvassTestProviderProps {
  /** The client of the children. Defaults to a new fake client. */
  readonly canvass?: FakeCanvass | undefined;
  /** Your id of the person, as in `CanvassProvider`. */
  readonly userId?: string | null | undefined;
  /** The components under test. */
  readonly children?: ReactNode;
}

/**
 * Replaces `CanvassProvider` in tests, without a network. It needs only a DOM. `Feedback` draws two buttons, named
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
    () => ({ canvass: canvass ?? createFakeCanvass(), userId: nameOf(userId) }),
    [canvass, userId],
  );
  return createElement(ProvidedContext.Provider, { value }, children);
}
