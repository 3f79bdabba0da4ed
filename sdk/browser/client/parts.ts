/** What the client and its lazily fetched parts know of each other. */

import type { Messages } from '../thumbs/message.ts';
import type { Ask } from './ask.ts';
import type { Conditions, Eligibility, Person } from './eligibility.ts';
import type { Emitter, Events } from './events.ts';
import type { Kit } from './kit.ts';
import type { Follow } from './message-rating.ts';
import type { Appearance, ClientOptions } from './options.ts';
import type { Post } from './post.ts';
import type { ClientStorage } from './storage.ts';
import type { Binding, Survey } from './survey.ts';

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
  readonly bound: Binding | undefined;
  ask?: Ask;
  view?: View;
}

/** What the client tells itself, besides what it tells the page. */
export interface OwnEvents extends Events {
  /** What could not be fetched may be there now. */
  readonly again: unknown;
  /** Something has happened in the page, and is counted. */
  readonly tracked: string;
}

/** The client, as its lazily fetched parts see it. */
export interface Client {
  readonly options: ClientOptions;
  readonly storage: ClientStorage;
  /** Of what happens in this visit. */
  readonly visit: ClientStorage;
  readonly post: Post;
  readonly eligibility: Eligibility;
  readonly person: Person;
  readonly emit: Emitter['emit'];
  /** Ends with the client. */
  readonly signal: AbortSignal;
  readonly load: Load;
  readonly placeOf: (survey: Survey) => Element | null;
  readonly isOpen: (current: Current) => boolean;
  /** The person has decided. */
  readonly endAsk: (current: Current) => void;
  /** Messages that are rated in this page, once there is one. */
  messages?: Messages;
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

/** Puts surveys to the person and delivers what they say. */
export interface Asker {
  readonly open: (current: Current) => Promise<void>;
  /** Sends what is due; resolves when nothing is under way any more. */
  readonly flush: () => Promise<void>;
}

/** What a build fetches when it is needed, by the name of its file. */
export interface Parts {
  /** When a survey is about to be shown, or an answer waits to be sent. */
  readonly widget: Parts['bare'] & Partial<Parts['kit']>;
  /** The widget where the kit is there already. */
  readonly bare: { readonly createAsker: (client: Client) => Promise<Asker> };
  /** With thumbs, if it is not there already. */
  readonly kit: { readonly kit: Kit };
  readonly debug: {
    readonly log: (on: Emitter['on'], options: Partial<ClientOptions>) => void;
    /** Of an active survey; or, without `slug`, of the draft that the page's address asks for. */
    readonly mount: (client: Client, slug: string | undefined) => Promise<void>;
  };
  /** Where the service lists a survey with a sample, targeting, pages or an event. */
  readonly conditions: {
    readonly mount: (client: Client, on: Emitter<OwnEvents>['on'], consider: () => void) => Conditions;
  };
  /** Where a survey of type `thumbs` is bound to a message. */
  readonly thumbs: {
    mount(client: Client, bound: Binding | undefined, place: Element | Follow, owner: string): Promise<void>;
  };
  /** Where the widget asks a survey of type `thumbs`. */
  readonly asked: {
    readonly presentWith: (kit: Kit) => Present;
  };
  /** Where a message is bound to buttons of the page's own. */
  readonly own: {
    mount(client: Client, bound: Binding | undefined, place: Element | Follow, owner: string): Promise<void>;
  };
}

export type Load = <N extends keyof Parts>(name: N) => Promise<Parts[N]>;

/**
 * How a build finds them.
 *
 * @param fault why that failed before: a browser remembers it of this address, so it is asked for under another one
 */
export type Source = <N extends keyof Parts>(name: N, fault?: unknown) => Promise<Parts[N]>;

/** How a bundler finds them. */
export type Loaders = { readonly [N in keyof Parts]: () => Promise<Parts[N]> };

declare global {
  /** The build puts a comment of this length in its place, which keeps bundlers from looking into the import. */
  const unknownToBundlersUntilTheBrowserSaysIt: (address: string) => string;
}

/**
 * Fetches parts as a bundler finds them. What has failed is fetched from the address that the browser's error names, under
 * another query. An error that names none is a bundler's own, which fetches anew by itself, or Safari's.
 */
export function fetchAgain(parts: Loaders): Source {
  return (name, fault) => {
    const [, address] = /module: (http\S+)/.exec(`${fault}`) ?? [];
    if (!address) return parts[name]();
    return import(
      unknownToBundlersUntilTheBrowserSaysIt(`${address}${address.includes('?') ? '&' : '?'}${Date.now()}`)
    );
  };
}
