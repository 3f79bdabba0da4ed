/** Interfaces between the client and its lazily loaded parts. */

import type { Ask } from './ask.ts';
import type { Conditions, Eligibility, Person } from './eligibility.ts';
import type { Emitter, Events } from './events.ts';
import type { Kit } from './kit.ts';
import type { Follow, RatingDetail } from './message-rating.ts';
import type { Appearance, ClientOptions } from './options.ts';
import type { Post } from './post.ts';
import type { ClientStorage, KeptRating } from './storage.ts';
import type { Binding, Survey } from './survey.ts';

export interface View {
  readonly host: Element;
  /** Removes it immediately, with its timers and listeners. */
  readonly remove: () => void;
}

export interface Current {
  readonly survey: Survey;
  readonly place: Element;
  readonly bound: Binding | undefined;
  ask?: Ask;
  view?: View;
}

/** Internal events besides the public ones. */
export interface OwnEvents extends Events {
  /** A failed load may succeed now. */
  readonly again: unknown;
  readonly tracked: string;
}

/** A message that this person can rate, with thumbs or the page's own buttons. */
export interface Message {
  /** Includes the token that stores the rating, if there is one. */
  readonly binding: KeptRating['binding'];
  readonly latest: () => KeptRating | undefined;
  readonly isTheirs: () => boolean;
  /**
   * Stores and delivers a rating; undefined withdraws it.
   *
   * @returns false for another person or an unchanged rating
   */
  readonly say: (rating: number | undefined, detail?: RatingDetail) => boolean;
  readonly resume: () => void;
}

export interface Messages {
  /** The listed surveys, fetched once; undefined after an error, which is reported. */
  readonly list: () => Promise<readonly Survey[] | undefined>;
  /** @param owner who was signed in when the page bound it; a person who signs in later keeps an anonymous message */
  readonly messageOf: (survey: Pick<Survey, 'id'>, bound: Binding, owner?: string) => Message;
  /** @param heard called after each change, with the token if it concerns one message; returns `false` to stop */
  readonly hear: (heard: (showToken?: string) => boolean) => void;
}

export interface Client {
  readonly options: ClientOptions;
  readonly storage: ClientStorage;
  readonly visit: ClientStorage;
  readonly post: Post;
  readonly eligibility: Eligibility;
  readonly person: Person;
  readonly emit: Emitter['emit'];
  readonly signal: AbortSignal;
  readonly load: Load;
  readonly placeOf: (survey: Survey) => Element | null;
  readonly isOpen: (current: Current) => boolean;
  readonly endAsk: (current: Current) => void;
  messages?: Messages;
}

/**
 * Draws an ask; without it, the page does. The client removes the view if the ask ends without a decision, and, when
 * the client ends, even the thanks.
 */
export type Present = (
  ask: Ask,
  place: Element,
  options: ClientOptions & Appearance,
  signal: AbortSignal,
) => Promise<View>;

export interface Asker {
  readonly open: (current: Current) => Promise<void>;
  /** Sends what is due; resolves when no request is in flight. */
  readonly flush: () => Promise<void>;
}

/** Parts that a build loads on demand, by file name. */
export interface Parts {
  /** When a survey is about to be shown, or an answer waits to be sent. */
  readonly widget: Parts['bare'] & Partial<Parts['kit']>;
  /** The widget without the kit, if thumbs loaded that. */
  readonly bare: { readonly createAsker: (client: Client) => Promise<Asker> };
  /** With thumbs, unless it is loaded. */
  readonly kit: { readonly kit: Kit };
  readonly debug: {
    readonly log: (on: Emitter['on'], options: Partial<ClientOptions>) => void;
    /** @param slug of an active survey; without it, the draft in the page's address */
    readonly mount: (client: Client, slug: string | undefined) => Promise<void>;
  };
  /** If a listed survey has a sample, targeting, pages or an event. */
  readonly conditions: {
    readonly mount: (client: Client, on: Emitter<OwnEvents>['on'], consider: () => void) => Conditions;
  };
  readonly thumbs: {
    mount(client: Client, bound: Binding | undefined, place: Element | Follow, owner: string): Promise<void>;
  };
  readonly asked: {
    readonly presentWith: (kit: Kit) => Present;
  };
  readonly own: {
    mount(client: Client, bound: Binding | undefined, place: Element | Follow, owner: string): Promise<void>;
  };
}

export type Load = <N extends keyof Parts>(name: N) => Promise<Parts[N]>;

/** @param fault the earlier failure: browsers cache failed imports by address, so a retry needs another address */
export type Source = <N extends keyof Parts>(name: N, fault?: unknown) => Promise<Parts[N]>;

export type Loaders = { readonly [N in keyof Parts]: () => Promise<Parts[N]> };

declare global {
  /** The build replaces this with a comment of the same length, so that bundlers do not resolve the import. */
  const unknownToBundlersUntilTheBrowserSaysIt: (address: string) => string;
}

/**
 * Retries a failed import at the address in the browser's error, with another query. Errors without an address come
 * from bundlers, which retry themselves, or from Safari.
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
