import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../shared/domain/duration.ts';
import { formatRepeat, isWait, parseRepeat, type Repeat } from '../../../../shared/domain/surveys/repeat.ts';

const MOST = 36_500 * DAY;
/** Durations have at most nine digits. */
const wait = fc
  .constantFrom(SECOND, MINUTE, HOUR, DAY)
  .chain((unit) =>
    fc.integer({ min: 1, max: Math.min(MOST / unit, 999_999_999) }).map((count) => count * unit),
  );
const repeat: fc.Arbitrary<Repeat> = fc.oneof(
  fc.constantFrom<Repeat>('session', 'observation'),
  wait.map((ms) => ({ answeredMs: ms, dismissedMs: ms })),
  fc.record({ answeredMs: wait, dismissedMs: wait }, { requiredKeys: [] }),
);

it('parses every form that it writes, and recognizes which half is a wait', () => {
  fc.assert(
    fc.property(repeat, (meant) => {
      const written = formatRepeat(meant);
      expect(parseRepeat(written)).toEqual(meant);
      const halves = typeof written === 'string' ? [written] : Object.values(written);
      expect(halves.filter((half) => !isWait(half))).toEqual(typeof meant === 'string' ? [meant] : []);
    }),
  );
});

it('treats an omitted half as never', () => {
  expect(parseRepeat({ answered: '90d' })).toEqual({ answeredMs: 90 * DAY });
  expect(parseRepeat({ answered: '90d', dismissed: 'never' })).toEqual({ answeredMs: 90 * DAY });
  expect([parseRepeat('never'), parseRepeat({})]).toEqual([{}, {}]);
});

it.each(['', '0', '0s', '-1d', '1.5d', '90', '90 d', '500ms', '36501d', 'Never', '1e3s', '٣d'])(
  'rejects %j as a duration',
  (text) => expect(isWait(text)).toBe(false),
);
