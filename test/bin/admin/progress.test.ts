import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { createProgress } from '../../../bin/admin/progress.ts';

function aStream(isTTY: boolean): { stream: NodeJS.WriteStream; written: () => string } {
  const stream = Object.assign(new PassThrough(), { isTTY });
  return { stream: stream as unknown as NodeJS.WriteStream, written: () => stream.read()?.toString() ?? '' };
}

it('shows a bar on a terminal, at most ten times a second, and clears it', () => {
  let now = 0;
  const { stream, written } = aStream(true);
  const progress = createProgress(stream, () => now);
  progress.show(0.5, '5 imported');
  progress.show(0.6, '6 imported');
  now += 100;
  progress.show(1, '10 imported');
  progress.clear();
  const shown = written();
  expect(shown).toContain('[###############...............]  50%  5 imported');
  expect(shown).not.toContain('6 imported');
  expect(shown).toContain('100%  10 imported');
  expect(shown.endsWith('\r\x1b[K')).toBe(true);
});

it('writes nothing where nobody looks', () => {
  const { stream, written } = aStream(false);
  const progress = createProgress(stream);
  progress.show(0.5, 'half');
  progress.clear();
  expect(written()).toBe('');
});
