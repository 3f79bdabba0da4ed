import {
  type AnySurveys,
  type Canvass,
  type CanvassOptions,
  createCanvass,
  type Events,
} from '@canvass-surveys/browser';
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
import { nameOf } from '../browser/client/eligibility.ts';
import { jsonOf, jsonOfTraits, leaseClient, ProvidedContext, useProvided } from './provided.ts';

/** Props of the provider. */
export interface CanvassProviderProps extends Omit<CanvassOptions, 'key' | 'userId'> {
  /** The project's publishable key: `svc_pk_…`. (React reserves `key`.) */
  readonly clientKey: string;
  /** Your id of the person. Omitted, `null`, or an id that names nobody: nobody is signed in. */
  readonly userId?: string | null | undefined;
  /** Your app. */
  readonly children?: ReactNode;
}

/**
 * Provides a client to its children, from its first effect until it unmounts. On a server it does nothing. A provider
 * that mounts again within a second continues with the same client, unless that has asked a survey.
 *
 * Props are compared by value. The client stays when `userId`, `traits` or `userToken` change. Any other change creates
 * a new client: an open survey disappears, and a drafted answer is sent. A `userToken` function may change with each
 * render; the latest is called.
 *
 * @example
 * <CanvassProvider clientKey="svc_pk_…" baseUrl="https://surveys.example.com" userId={user.id}>
 *   <App />
 * </CanvassProvider>
 */
export function CanvassProvider(props: CanvassProviderProps): ReactElement {
  const { children, clientKey, userId: given, traits, userToken, ...others } = props;
  const [canvass, setCanvass] = useState<Canvass>();
  const userId = nameOf(given);
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
    const lease = leaseClient(options, () =>
      createCanvass({ ...others, key: clientKey, userId: given ?? '', traits, userToken: token }),
    );
    if (lease.isUsed) lease.canvass.identify(given, traits, token);
    setCanvass(lease.canvass);
    return () => {
      lease.end();
      setCanvass(undefined);
    };
  }, [options]);

  // Runs before the effects of children, which bind messages of this person.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the person by its value
  useInsertionEffect(() => {
    if (!canvass || told.current.options !== options || told.current.person === person) return;
    told.current = { options, person };
    canvass.identify(given, traits, token);
  }, [canvass, person]);

  const value = useMemo(() => ({ canvass, userId }), [canvass, userId]);
  return createElement(ProvidedContext.Provider, { value }, children);
}

/**
 * The provider's client. Undefined on a server, and before the provider's first effect.
 *
 * With the types of your surveys, `useCanvass<Surveys>()`, it accepts only their slugs.
 *
 * @throws outside of a provider
 * @example
 * const canvass = useCanvass();
 * return <button onClick={() => canvass?.show('after-checkout')}>How was it?</button>;
 */
export function useCanvass<Surveys extends AnySurveys = AnySurveys>(): Canvass<Surveys> | undefined {
  return useProvided('useCanvass').canvass;
}

/**
 * Listens to an event of the client while the component is mounted. The listener may change with each render; the
 * latest is called.
 *
 * @throws outside of a provider
 * @example
 * useCanvassEvent('answered', ({ survey, rating }) => track('survey answered', { slug: survey.slug, rating }));
 */
export function useCanvassEvent<E extends keyof Events>(
  event: E,
  listener: (detail: Events[E]) => void,
): void {
  const canvass = useCanvass();
  const last = useRef(listener);
  useEffect(() => {
    last.current = listener;
  });
  useEffect(() => canvass?.on(event, (detail) => last.current(detail)), [canvass, event]);
}
