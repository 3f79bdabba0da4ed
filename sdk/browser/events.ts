import type { Ask } from './ask.ts';
import type { LocalisedSurvey } from './texts.ts';

export interface Events {
  /** An ask is open: draw it (own interface) or know that the widget shows it. */
  readonly ask: Ask;
  /** The person answered. Delivery goes on behind this; what can never be delivered comes as `error`. */
  readonly answered: Ended;
  /** The person waved the survey away. */
  readonly dismissed: Ended;
  /** Something failed. Nothing was shown and nothing thrown because of it. */
  readonly error: CanvassError;
}

export interface Ended {
  readonly survey: LocalisedSurvey;
  /** Absent when the survey was dismissed. */
  readonly rating: number | undefined;
}

export interface CanvassError {
  /** HTTP status; 0 when no reply came. */
  readonly status?: number;
  /** The service's error code (docs/contract.md §4), where it gave one. */
  readonly code?: string | undefined;
  /** What was thrown, for a fault that is not one of the network. */
  readonly cause?: unknown;
}

export interface Emitter {
  /** @returns a function that stops listening */
  readonly on: <E extends keyof Events>(event: E, listener: (detail: Events[E]) => void) => () => void;
  /** Tells the listeners soon: each as a task of its own, so that what one throws stops nothing here. */
  readonly emit: <E extends keyof Events>(event: E, detail: Events[E]) => void;
}

export function createEmitter(): Emitter {
  const listeners = new Set<(event: keyof Events, detail: never) => void>();
  return {
    on(event, listener) {
      const hear = (told: keyof Events, detail: never) => told === event && listener(detail);
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    emit(event, detail) {
      for (const hear of listeners) queueMicrotask(() => hear(event, detail as never));
    },
  };
}
