/** The view that the page's address holds after `#`, so that it can be bookmarked and shared. */

import { isDay } from '../../shared/domain/days.ts';

export const DEFAULT_DAYS = '90';
const SPANS = ['7', '30', DEFAULT_DAYS] as const;

export interface View {
  /** An id. Keys of other projects do not open it. */
  readonly project?: string | undefined;
  /** A slug. */
  readonly survey?: string | undefined;
  /** Days up to today, or `own` with `from` and `to`. */
  readonly days: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Bucket of the trend; automatic by default. */
  readonly by?: string | undefined;
  readonly segment?: string | undefined;
  readonly value?: string | undefined;
  /** The value to compare with. */
  readonly against?: string | undefined;
  /** `none`; defaults to the preceding days. */
  readonly compare?: string | undefined;
  /** A tone. */
  readonly ratings?: string | undefined;
  readonly reason?: string | undefined;
  /** Of contacts; defaults to open. */
  readonly state?: string | undefined;
  /** `all` shows contacts of every survey. */
  readonly contacts?: string | undefined;
  /** `all` shows contacts of all time. */
  readonly when?: string | undefined;
  /** `newest`; defaults to the lowest rating first. */
  readonly sort?: string | undefined;
}

const NAMES = [
  'project',
  'survey',
  'by',
  'segment',
  'value',
  'against',
  'compare',
  'ratings',
  'reason',
  'state',
  'contacts',
  'when',
  'sort',
] as const;

export function readView(hash: string): View {
  const given = new URLSearchParams(hash.replace(/^#/, ''));
  const text = (name: string): string | undefined => given.get(name) || undefined;
  const day = (name: string) => [text(name)].find((value) => value !== undefined && isDay(value));
  const [from, to] = [day('from'), day('to')];
  const named = Object.fromEntries(NAMES.map((name) => [name, text(name)]));
  if (from !== undefined || to !== undefined) return { ...named, days: 'own', from, to };
  return { ...named, days: SPANS.find((days) => days === text('days')) ?? DEFAULT_DAYS };
}

/** Omits defaults. */
export function writeView(view: View): string {
  const { days, from, to } = view;
  const span = days === 'own' ? { from, to } : { days: days === DEFAULT_DAYS ? undefined : days };
  const fields = { ...Object.fromEntries(NAMES.map((name) => [name, view[name]])), ...span };
  const said = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
  return said.length === 0 ? '' : `#${new URLSearchParams(said)}`;
}
