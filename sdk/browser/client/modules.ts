import type { Control } from '../thumbs/control.ts';
import type { Ask } from './ask.ts';
import type { Conditions, Eligibility, Person } from './eligibility.ts';
import type { Emitter, Events } from './events.ts';
import type { Kit } from './kit.ts';
import type { Delivery, Follow, RatingDetail } from './message-rating.ts';
import type { Appearance, ClientOptions } from './options.ts';
import type { Send } from './outbox.ts';
import type { Post, Reply } from './post.ts';
import type { ClientStorage, KeptRating, Submission } from './storage.ts';
import type { Asked, Binding, Survey } from './survey.ts';

export interface View {
  readonly host: Element;
  readonly remove: () => void;
}

export interface Current extends Asked {
  readonly survey: Survey;
  readonly place: Element;
  readonly bound: Binding | undefined;
  ask?: Ask;
  view?: View;
}

export interface OwnEvents extends Events {
  /** A failed load may succeed now. */
  readonly again: unknown;
  readonly track: string;
}

export interface Message {
  /** Includes the token that stores the rating, if any. */
  readonly binding: KeptRating['binding'];
  readonly latest: () => KeptRating | undefined;
  readonly isTheirs: () => boolean;
  /**
   * Changes the rating; `undefined` withdraws it.
   *
   * @returns false for another person or an unchanged rating
   */
  readonly say: (rating: number | undefined, detail?: RatingDetail) => boolean;
  /** Delivers a rating that an earlier page has not sent. */
  readonly resume: () => void;
}

/** @param reply the service's latest reply about the message; final without `retryMs` */
export type Heard = (showToken?: string, lost?: TellBelow, reply?: Reply) => boolean;

/** Tells the person that the service refused the rating of a message. */
export type TellBelow = (control: Pick<Control<unknown>, 'host' | 'panel' | 'say'>) => void;

export interface Messages {
  /** The list is fetched once. Undefined after a reported error. */
  readonly list: () => Promise<readonly Survey[] | undefined>;
  /**
   * @param owner the person signed in when the page bound it; a person who signs in later keeps an anonymous message
   */
  readonly messageOf: (survey: Pick<Survey, 'id'>, bound: Binding, owner?: string) => Message;
  /** @param heard receives the token if only one message changed, and `lost` after a refusal; returns `false` to stop */
  readonly hear: (heard: Heard) => void;
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
  readonly placeOf: (survey: Pick<Survey, 'presentation' | 'slug'>) => Element | null;
  readonly isOpen: (current: Current) => boolean;
  readonly endAsk: (current: Current) => void;
  messages?: Messages;
}

/** The parts of a client that its outbox uses. */
export interface Mail
  extends Pick<Client, 'storage' | 'post' | 'emit' | 'signal' | 'person' | 'options' | 'load' | 'placeOf'> {
  readonly lost?: (showToken: string, tell?: TellBelow) => void;
}

/**
 * Draws an ask. Without it, the page draws asks. The client removes the view if an ask ends without an answer or a
 * dismissal. When the client ends, even the thank-you message is removed.
 */
export type Present = (
  ask: Ask,
  place: Element,
  options: ClientOptions & Appearance,
  signal: AbortSignal,
) => Promise<View>;

export interface Asker {
  readonly open: (current: Current) => Promise<void>;
  readonly flush: () => Promise<void>;
}

export interface Refused {
  /** @returns whether the submission is still on its way */
  mount(mail: Mail, kept: Submission, reply: Reply, send: Send): Promise<boolean>;
}

export interface Modules {
  /** Fetched when a survey is due or an answer waits. */
  readonly widget: Modules['bare'] & Partial<Modules['kit']>;
  /** Used when thumbs have loaded the kit. */
  readonly bare: { readonly mount: (client: Client) => Promise<Asker> };
  readonly kit: { readonly kit: Kit };
  readonly debug: {
    readonly log: (on: Emitter['on'], options: Partial<ClientOptions>) => void;
    /**
     * @param slug of an active survey; otherwise the draft in the page's address
     * @param wrongId an id that names nobody: warns about it
     */
    readonly mount: (client: Client, slug?: string, wrongId?: unknown) => Promise<void>;
    readonly notAsked: () => Delivery;
  };
  readonly conditions: {
    readonly mount: (
      client: Client,
      on: Emitter<OwnEvents>['on'],
      consider: () => void,
      slug?: string,
    ) => Promise<Conditions>;
  };
  readonly thumbs: {
    mount(client: Client, bound: Binding | undefined, place: Element | Follow, owner: string): Promise<void>;
  };
  readonly refused: Refused;
  readonly asked: {
    readonly presentWith: (kit: Kit) => Present;
  };
  readonly own: {
    mount(client: Client, bound: Binding | undefined, place: Element | Follow, owner: string): Promise<void>;
  };
}

export type Load = <N extends keyof Modules>(name: N) => Promise<Modules[N]>;

/** @param fault the earlier failure: browsers cache failed imports by address, so a retry needs another */
export type Source = <N extends keyof Modules>(name: N, fault?: unknown) => Promise<Modules[N]>;

export type Loaders = { readonly [N in keyof Modules]: () => Promise<Modules[N]> };

declare global {
  /** The build replaces this name with a comment of the same length, so that bundlers do not resolve the import. */
  const unknownToBundlersUntilTheBrowserSaysIt: (address: string) => string;
}

/**
 * Retries at the address in the browser's error, with a different query. Errors in Safari have no address, nor do those
 * of bundlers, which retry themselves.
 */
export function fetchAgain(loaders: Loaders): Source {
  return (name, fault) => {
    const [, address] = /module: (http\S+)/.exec(`${fault}`) ?? [];
    if (!address) return loaders[name]();
    return import(
      unknownToBundlersUntilTheBrowserSaysIt(`${address}${address.includes('?') ? '&' : '?'}${Date.now()}`)
    );
  };
}
