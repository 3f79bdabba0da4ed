/** What the client and its lazily fetched parts know of each other. */

import type { Ask } from './ask.ts';
import type { createAsking } from './asking.ts';
import type { Emitter } from './events.ts';
import type { Offers } from './offers.ts';
import type { Binding, ClientOptions, UserToken } from './options.ts';
import type { Post } from './post.ts';
import type { ClientStorage } from './storage.ts';
import type { Appearance } from './widget-options.ts';
import type { Survey } from './wire.ts';

/** Who the person is, as far as the page has said. */
export interface Person {
  /** The page's id of the person; empty where it has given none. */
  name: string;
  traits: Readonly<Record<string, unknown>>;
  /** Proof of the name, where the page has given one. */
  token?: UserToken | undefined;
  /** The name, else a random id of this device. */
  readonly id: () => string;
}

/** What was drawn for an ask. */
export interface View {
  /** What was put into the page. */
  readonly host: Element;
  /** Takes it away at once, with every timer and listener. */
  readonly remove: () => void;
}

/** The one survey that is being asked. */
export interface Current {
  readonly survey: Survey;
  readonly place: Element;
  readonly binding: Binding | undefined;
  ask?: Ask;
  view?: View;
}

/** The client, as its lazily fetched parts see it. */
export interface Client {
  readonly options: ClientOptions;
  readonly storage: ClientStorage;
  readonly post: Post;
  readonly offers: Offers;
  readonly person: Person;
  readonly emit: Emitter['emit'];
  /** Ends with the client. */
  readonly signal: AbortSignal;
  readonly load: Load;
  readonly placeOf: (survey: Survey) => Element | null;
  readonly isOpen: (current: Current) => boolean;
  /** The person has decided. */
  readonly close: (current: Current) => void;
}

/**
 * Draws an ask; without it the page does, on `ask`. The client removes the view when the ask is over before the person says
 * so, and at its own end even the thanks.
 */
export type Present = (
  ask: Ask,
  place: Element,
  options: ClientOptions & Appearance,
  signal: AbortSignal,
) => Promise<View>;

/** What a build fetches when it is needed, by the name of its file. */
export interface Parts {
  /** When a survey is about to be shown, or an answer waits to be sent. */
  readonly widget: {
    readonly createAsking: typeof createAsking;
    readonly present?: Present | undefined;
  };
  readonly debug: typeof import('./debug.ts');
  /** Where a survey of type `thumbs` is bound to a message, or asked. */
  readonly thumbs: typeof import('./thumbs/thumbs.ts');
}

export type Load = <N extends keyof Parts>(name: N) => Promise<Parts[N]>;

/** How a bundler finds them. */
export type Loaders = { readonly [N in keyof Parts]: () => Promise<Parts[N]> };
