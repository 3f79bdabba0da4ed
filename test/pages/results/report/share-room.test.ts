import { expect, it } from 'vitest';
import { shareRoom } from '../../../../pages/results/report/share-room.ts';

it.each([
  ['what each needs, where there is room', [10, 20, 30], 100, [10, 20, 30]],
  ['equal parts, where all need more', [50, 60, 70], 90, [30, 30, 30]],
  ['what one does not need to those that need more', [10, 80, 80], 100, [10, 45, 45]],
  ['nothing, where there is none', [10, 10], -5, [0, 0]],
] as const)('gives %s', (_, needs, room, rooms) => {
  expect(shareRoom(needs, room)).toEqual(rooms);
});
