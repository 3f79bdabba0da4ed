import type { Ask } from './ask.ts';
import { localise } from './texts.ts';
import { DRAFT_MS } from './times.ts';
import { fitting } from './traits.ts';
import type { Survey, Traits } from './wire.ts';

export interface Terms {
  readonly survey: Survey;
  /** BCP 47 tag; default: the page's `lang`, else the browser's language. */
  readonly locale?: string | undefined;
  readonly traits: Traits;
  readonly isOpen: () => boolean;
  /** Puts the submission into the outbox. @param again only in place of one that is still there */
  readonly send: (path: string, content: object, holdMs: number, again: boolean) => void;
  /** Called once, after the last `send`. @param rating absent for a dismissal */
  readonly end: (rating?: number) => void;
}

export function openAsk({ survey, locale, traits, isOpen, send, end }: Terms): Ask {
  const known = fitting(traits);
  let draft: Parameters<Ask['answer']> | undefined;

  const respond = (holdMs: number, ...[rating, detail]: Parameters<Ask['answer']>) =>
    send('/v1/sdk/responses', { traits: known, ...detail, rating }, holdMs, !!draft);

  return {
    survey: localise(survey, locale || document.documentElement.lang || navigator.language),
    get drafted() {
      return !!draft;
    },
    draft(...given) {
      if (!isOpen()) return;
      respond(DRAFT_MS, ...given);
      draft = given;
    },
    answer(...given) {
      if (!isOpen()) return;
      respond(0, ...given);
      end(given[0]);
    },
    dismiss() {
      if (draft) return this.answer(...draft);
      if (!isOpen()) return;
      send('/v1/dismissals', {}, 0, false);
      end();
    },
  };
}
