/** What the page shows, as the address holds it behind its `#`: to be kept, or sent to a colleague who has a key. */

import { isDay } from '../../shared/domain/days.ts';

export const DEFAULT_DAYS = '90';
const SPANS = ['7', '30', DEFAULT_DAYS] as const;

export interface View {
  /** Its id: the key of another one opens nothing of it. */
  readonly project?: string | undefined;
  /** Its slug. */
  readonly survey?: string | undefined;
  /** Days up to today; `own` where `from` and `to` are chosen. */
  readonly days: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Buckets of the trend; automatic unless chosen. */
  readonly by?: string | undefined;
  readonly segment?: string | undefined;
  /** Of the segment, that alone. */
  readonly value?: string | undefined;
  /** Another value, with which that one is compared. */
  readonly against?: string | undefined;
  /** `none` where nothing is; the days before unless chosen. */
  readonly compare?: string | undefined;
  /** One part of the ratings, by its tone. */
  readonly ratings?: string | undefined;
  /** Code of a reason. */
  readonly reason?: string | undefined;
  /** Contacts that are open unless chosen. */
  readonly state?: string | undefined;
  /** `all` where the contacts are those of every survey. */
  readonly contacts?: string | undefined;
  /** `all` where the contacts are of all time; those of the days of the page unless chosen. */
  readonly when?: string | undefined;
  /** `newest` where contacts are listed so; the lowest come first unless chosen. */
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

/** Without what is so unless said. */
export function writeView(view: View): string {
  const { days, from, to } = view;
  const span = days === 'own' ? { from, to } : { days: days === DEFAULT_DAYS ? undefined : days };
  const fields = { ...Object.fromEntries(NAMES.map((name) => [name, view[name]])), ...span };
  const said = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    value ? [[name, value]] : [],
  );
  return said.length === 0 ? '' : `#${new URLSearchParams(said)}`;
}
