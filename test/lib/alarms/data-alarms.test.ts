/** Nobody is woken by metrics that come late, and a counter that is dead is heard of where answers are few. */

import { describe, expect, it } from 'vitest';
import { type Series, simulateAlarm } from '../../support/stack/alarm-simulation.ts';
import { aTemplate } from '../../support/stack/synthesised-stack.ts';

const [ALARM] = Object.values(
  aTemplate().findResources('AWS::CloudWatch::Alarm', {
    Properties: { AlarmName: 'canvass-test-counting-stopped' },
  }),
);

const HOUR = 60;
const DAY = 24 * HOUR;

/**
 * Three answers every so many minutes, and a run that counts them.
 * @param runs in which minute one counts what came in this one; absent: in none
 */
function stage(every: number, runs: (minute: number) => number | undefined): Series {
  const accepted: (number | undefined)[] = Array.from({ length: DAY });
  const Invocations: (number | undefined)[] = Array.from({ length: DAY });
  for (let minute = every; minute < DAY; minute += every) {
    accepted[minute] = 3;
    const run = runs(minute);
    if (run !== undefined && run < DAY) Invocations[run] = 1;
  }
  return { accepted, Invocations };
}

/** Minutes in which the alarm is on. */
const minutesOn = (series: Series, late?: Readonly<Record<string, number>>): readonly number[] =>
  simulateAlarm(ALARM?.Properties, series, late).flatMap((isOn, minute) => (isOn ? [minute] : []));

const EVERY = [1, 7, 60, 90, 91, 120, 179, 180, 181, 300];

describe('a counter that runs', () => {
  it.each(EVERY)('wakes nobody where answers come every %d minutes and its metric late', (every) => {
    for (const late of [0, 1, 5]) {
      const inTheSame = stage(every, (minute) => minute);
      expect([late, minutesOn(inTheSame, { Invocations: late })]).toEqual([late, []]);
      // Of answers of a minute's last second.
      const inTheNext = stage(every, (minute) => minute + 1);
      expect([late, minutesOn(inTheNext, { Invocations: late })]).toEqual([late, []]);
    }
  });
});

describe('a counter that never runs any more', () => {
  const DEATH = 6 * HOUR;
  const dies = (every: number) => stage(every, (minute) => (minute < DEATH ? minute : undefined));

  it.each([1, 7, 60, 90, 120, 179])(
    'is heard of within three hours and two answers every %d minutes',
    (every) => {
      const [first = DAY, ...others] = minutesOn(dies(every), { Invocations: 1 });
      expect(first).toBeGreaterThanOrEqual(DEATH + every);
      expect(first).toBeLessThanOrEqual(DEATH + 3 * HOUR + every);
      // Where answers go on, so does the alarm.
      if (every <= HOUR) expect(others).toHaveLength(DAY - 1 - first);
    },
  );

  it('is over with its first run', () => {
    const cured = 12 * HOUR;
    const series = stage(7, (minute) => (minute < DEATH || minute >= cured ? minute : undefined));
    const on = minutesOn(series);
    expect(on.length).toBeGreaterThan(0);
    expect(on.at(-1)).toBeLessThanOrEqual(cured + 7);
  });
});
