/** A customer's React app described as data, rendered on the server and in the page. */

import { type ReactElement, StrictMode, useEffect } from 'react';
import type { Binding, Canvass, Delivery } from '../../../../sdk/browser/canvass.ts';
import {
  CanvassProvider,
  type CanvassProviderProps,
  Feedback,
  InlineSurvey,
  useCanvass,
  useCanvassEvent,
  useFeedback,
} from '../../../../sdk/react/index.ts';

export interface Scene {
  /** Absent if the page has no provider. */
  readonly provider?: Omit<CanvassProviderProps, 'children'>;
  readonly messages?: readonly { readonly id: string; readonly binding?: Binding | null }[];
  readonly own?: { readonly binding: Binding | null };
  readonly inline?: { readonly slug: string; readonly binding?: Binding };
  readonly strict?: boolean;
  /** Renders a hook without a provider. */
  readonly orphaned?: boolean;
  /** Fetches tokens with a new function in each render. */
  readonly fetchesToken?: boolean;
  readonly shows?: string;
}

declare global {
  /** Receives the render number of the function that was called. */
  var fetchToken: (render: number) => Promise<string>;
}

export interface Seen {
  readonly clients: Canvass[];
  /** Answers, each with the render number of its listener. */
  readonly answered: string[];
  /** The `status` of each rating by own buttons. */
  readonly delivered: string[];
  renders: number;
}

interface Given {
  readonly scene: Scene;
  readonly seen?: Seen | undefined;
}

function Probe({ scene, seen }: Given) {
  const canvass = useCanvass();
  useEffect(() => {
    if (scene.shows) canvass?.show(scene.shows);
  }, [canvass, scene.shows]);
  if (seen) {
    seen.renders++;
    if (canvass && !seen.clients.includes(canvass)) seen.clients.push(canvass);
  }
  const render = seen?.renders;
  useCanvassEvent('answered', ({ rating }) => seen?.answered.push(`${rating}, render ${render}`));
  return <output>{canvass ? 'ready' : 'waiting'}</output>;
}

function OwnButtons({
  binding,
  seen,
}: {
  readonly binding: Binding | null;
  readonly seen: Seen | undefined;
}) {
  const { rating, pending, rate, withdraw } = useFeedback(binding);
  const tell = ({ status }: Delivery) => seen?.delivered.push(status);
  return (
    <div id="own">
      <button type="button" onClick={() => (rating === 1 ? withdraw() : rate(1).then(tell))}>
        Good
      </button>
      <button type="button" onClick={() => rate(0, { text: 'Slow' }).then(tell)}>
        Bad
      </button>
      <output>{`${rating ?? 'none'}${pending ? ', pending' : ''}`}</output>
    </div>
  );
}

function Content({ scene, seen }: Given) {
  const { provider, messages = [], own, inline, fetchesToken, orphaned } = scene;
  const render = seen?.renders ?? 0;
  const userToken = fetchesToken ? () => fetchToken(render) : provider?.userToken;
  const content = (
    <>
      {messages.map(({ id, binding }) => (
        <article key={id} id={id}>
          <Feedback binding={binding} className="thumbs" />
        </article>
      ))}
      {own && <OwnButtons {...own} seen={seen} />}
      {inline && <InlineSurvey {...inline} className="survey" />}
      <Probe scene={scene} seen={seen} />
    </>
  );
  if (orphaned) return content;
  return (
    provider && (
      <CanvassProvider {...provider} userToken={userToken}>
        {content}
      </CanvassProvider>
    )
  );
}

/** React 19 mounts twice only what is inside StrictMode, so it wraps everything. */
export function pageOf(given: Given): ReactElement {
  const content = <Content {...given} />;
  return given.scene.strict ? <StrictMode>{content}</StrictMode> : content;
}
