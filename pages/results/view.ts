/** The view that the page's address stores after `#`, so that people can bookmark and share it. */

import { isDay } from '../../shared/domain/days.ts';

export const DEFAULT_DAYS = '90';
const SPANS = ['7', '30', DEFAULT_DAYS] as const;

export interface View {
  /** A project id. Keys of other projects do not open the view. */
  readonly project?: string | undefined;
  /** A survey's slug. */
  readonly survey?: string | undefined;
  /** A number of days up to today, or `own` with `from` and `to`. */
  readonly days: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The bucket of the trend. By default, it is chosen automatically. */
  readonly by?: string | undefined;
  readonly segment?: string | undefined;
  readonly value?: string | undefined;
  /** The value to compare the score with. */
  readonly against?: string | undefined;
  /** `none`; by default, the preceding days are compared. */
  readonly compare?: string | undefined;
  /** The tone of the listed ratings. */
  readonly ratings?: string | undefined;
  readonly reason?: string | undefined;
  /** The state of listed contacts. The default is open. */
  readonly state?: string | undefined;
  /** `all` shows contacts of every survey. */
  readonly contacts?: string | undefined;
  /** `all` shows contacts of all time. */
  readonly when?: string | undefined;
  /** `newest`. The default is the lowest rating first. */
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
