import { type AnySurveys, type Canvass, type CanvassOptions, createCanvass } from '@canvass-surveys/browser';
import {
  createElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useInsertionEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { jsonOf, jsonOfTraits } from './json-of.ts';
import { ProvidedContext, useProvided } from './provided.ts';

/** What the provider makes its client with. */
export interface CanvassProviderProps extends Omit<CanvassOptions, 'key' | 'userId'> {
  /** The project's publishable key: `svc_pk_…`. (`key` is a word of React's own.) */
  readonly clientKey: string;
  /** Who the person is to you; without it, or with `null`, nobody is signed in. */
  readonly userId?: string | null | undefined;
  readonly children?: ReactNode;
}

/**
 * Has a client for the components within it, from its first effect to its unmount. On a server it does nothing.
 *
 * Props are compared by value. Another `userId`, other `traits` or another `userToken` are told to the client; any other
 * change makes a new one, and ends the one before: a survey that was open leaves, and a drafted answer is sent. A function
 * as `userToken` may be another at each render; the last one is called.
 *
 * @example
 * <CanvassProvider clientKey="svc_pk_…" baseUrl="https://surveys.example.com" userId={user.id}>
 *   <App />
 * </CanvassProvider>
 */
export function CanvassProvider(props: CanvassProviderProps): ReactElement {
  const { children, clientKey, userId: given, traits, userToken, ...others } = props;
  const [canvass, setCanvass] = useState<Canvass>();
  const userId = given ?? '';
  const isFetched = typeof userToken === 'function';
  const options = jsonOf([clientKey, others]);
  const person = jsonOf([userId, jsonOfTraits(traits), isFetched || userToken]);
  const told = useRef({ options: '', person: '' });
  const fetchToken = useRef<() => string | Promise<string>>(() => '');
  const token = isFetched ? () => fetchToken.current() : userToken;

  useInsertionEffect(() => {
    if (isFetched) fetchToken.current = userToken;
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: the options are compared by their value; changes of the person are told by the effect below
  useEffect(() => {
    told.current = { options, person };
    const created = createCanvass({ ...others, key: clientKey, userId, traits, userToken: token });
    setCanvass(created);
    return () => {
      created.destroy();
      setCanvass(undefined);
    };
  }, [options]);

  // Before the effects of components within, which bind what is that person's.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person by its value
  useInsertionEffect(() => {
    if (!canvass || told.current.options !== options || told.current.person === person) return;
    told.current = { options, person };
    canvass.identify(userId, traits, token);
  }, [canvass, person]);

  const value = useMemo(() => ({ canvass, userId }), [canvass, userId]);
  return createElement(ProvidedContext.Provider, { value }, children);
}

/**
 * The client of the provider: undefined on a server, and in the page until the provider's first effect has run.
 *
 * With the types of your surveys, `useCanvass<Surveys>()`, it takes their slugs alone.
 *
 * @throws outside of a provider
 * @example
 * const canvass = useCanvass();
 * return <button onClick={() => canvass?.show('after-checkout')}>How was it?</button>;
 */
export function useCanvass<Surveys extends AnySurveys = AnySurveys>(): Canvass<Surveys> | undefined {
  return useProvided('useCanvass').canvass;
}
