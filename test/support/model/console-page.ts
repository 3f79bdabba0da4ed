/** Runs the console's built script without a browser. Preact renders its hooks to nothing. */

import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { build } from 'esbuild';
import type { DraftEvent, Drafting } from '../../../pages/console/rules/draft-machine.ts';
import type { EditProblem } from '../../../pages/console/rules/problems.ts';
import type { Ordering } from '../../../pages/console/rules/survey-order.ts';
import type { Side } from '../../../pages/console/rules/two-people.ts';

export interface EditorScreen extends Drafting {
  readonly problems: readonly EditProblem[];
  readonly isOffered: boolean;
  readonly send: (event: DraftEvent) => void;
}
export interface OrderScreen {
  readonly definitions?: { readonly order: readonly string[] };
  readonly ordering: Ordering;
  readonly problem: string | undefined;
  readonly note: string;
  readonly isKept: boolean;
  readonly move: (slug: string, by: -1 | 1) => void;
  readonly store: () => Promise<void>;
  readonly decide: (side: Side) => void;
  readonly discard: () => void;
}

interface Question {
  readonly method?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
}
export type Ask = (path: string, question?: Question) => Promise<unknown>;

type Drawn = object | null;
interface Code {
  readonly h: (type: unknown, props: object, ...children: Drawn[]) => Drawn;
  readonly options: { requestAnimationFrame?: (run: () => void) => void };
  readonly render: (drawn: Drawn, root: object) => void;
  readonly SessionProvider: unknown;
  readonly Refused: new (status: number, body?: object) => Error;
  readonly useOpenedDraft: (slug: string) => { readonly drafting?: Drafting | 'unknown' };
  readonly useDraft: (
    opened: Drafting,
    attention: { goToProblem: () => void; goToNote: () => void },
  ) => EditorScreen;
  readonly useOrdering: () => OrderScreen;
}

const PAGE = `
export { h, options, render } from 'preact';
export { useDraft, useOpenedDraft } from './editor/use-draft.ts';
export { useOrdering } from './order/order.tsx';
export { Refused } from './session/ask.ts';
export { SessionProvider } from './session/session.tsx';
`;
const { outputFiles } = await build({
  stdin: {
    contents: PAGE,
    resolveDir: fileURLToPath(new URL('../../../pages/console/app', import.meta.url)),
  },
  bundle: true,
  format: 'iife',
  globalName: 'page',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  write: false,
});
const run = compileFunction(`${outputFiles[0]?.text}; return page;`, ['location', 'sessionStorage']);

/** An empty slug means a new survey. */
export interface Place {
  readonly screen: 'editor' | 'order';
  readonly slug: string;
}

export class ConsolePage {
  readonly #location = { pathname: '/console/model', hash: '' };
  readonly #code: Code;
  readonly #root = {};
  #place: Place | undefined;
  #opened = 0;
  #editor: EditorScreen | undefined;
  #order: OrderScreen | undefined;
  isClosed = false;

  constructor(storage: Map<string, string>) {
    this.#code = run(this.#location, {
      getItem: (name: string) => storage.get(name) ?? null,
      setItem: (name: string, value: string) => storage.set(name, value),
      removeItem: (name: string) => storage.delete(name),
    });
    // Without a browser, no frames are drawn.
    this.#code.options.requestAnimationFrame = queueMicrotask;
  }

  get place(): Place | undefined {
    return this.#place;
  }
  /** Undefined while loading and for a survey that does not exist. */
  get editor(): EditorScreen | undefined {
    return this.#editor;
  }
  get order(): OrderScreen | undefined {
    return this.#order?.definitions && this.#order;
  }

  refusal(status: number, body?: object): Error {
    return new this.#code.Refused(status, body);
  }

  open(place: Place, ask: Ask): void {
    this.leave();
    this.#place = place;
    this.#opened += 1;
    this.draw(ask);
  }

  leave(): void {
    this.#place = undefined;
    this.#editor = undefined;
    this.#order = undefined;
    this.#code.render(null, this.#root);
  }

  draw(ask: Ask): void {
    if (this.#place === undefined) return;
    const { h, render, SessionProvider } = this.#code;
    const { screen, slug } = this.#place;
    const [type, key] = [screen === 'order' ? this.#Order : this.#Editor, this.#opened];
    render(h(SessionProvider, { value: { ask, mayEdit: true } }, h(type, { key, slug })), this.#root);
  }

  takeAddress(): Place | 'list' | undefined {
    const { hash } = this.#location;
    this.#location.hash = '';
    if (hash === '#/') return 'list';
    const slug = /^#\/survey\/(.*)\/edit$/.exec(hash)?.[1];
    return slug === undefined ? undefined : { screen: 'editor', slug };
  }

  readonly #Editor = ({ slug }: { slug: string }): Drawn => {
    const { drafting } = this.#code.useOpenedDraft(slug);
    if (drafting === undefined || drafting === 'unknown') return null;
    return this.#code.h(this.#Form, { opened: drafting });
  };
  readonly #Form = ({ opened }: { opened: Drafting }): Drawn => {
    const nowhere = () => undefined;
    this.#editor = this.#code.useDraft(opened, { goToProblem: nowhere, goToNote: nowhere });
    return null;
  };
  readonly #Order = (): Drawn => {
    this.#order = this.#code.useOrdering();
    return null;
  };
}
