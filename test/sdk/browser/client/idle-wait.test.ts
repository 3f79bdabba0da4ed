import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createIdleWait } from '../../../../sdk/browser/client/idle-wait.ts';

const A = 'https://app.example/a';
const B = 'https://app.example/b';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function scene() {
  const place = { href: A };
  const navigation = new EventTarget();
  vi.stubGlobal('location', place);
  vi.stubGlobal('window', Object.assign(new EventTarget(), { navigation }));
  vi.stubGlobal('document', Object.assign(new EventTarget(), { querySelector: () => null }));
  const asked: string[] = [];
  const lifetime = new AbortController();
  const decide = vi.fn(() => {
    wait();
    if (place.href === A) wait(0, () => asked.push(place.href));
  });
  const wait = createIdleWait(10, decide, lifetime.signal);
  const go = (href: string) => {
    place.href = href;
    navigation.dispatchEvent(new Event('currententrychange'));
  };
  return { asked, decide, go, lifetime };
}

it('notices a return to the page, even if nothing waits', () => {
  const { asked, decide, go, lifetime } = scene();
  decide();
  go(B);
  go(A);
  expect(decide).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(10);
  expect(asked).toEqual([A]);
  lifetime.abort();
});

it('does not treat the same address as another page', () => {
  const { decide, go, lifetime } = scene();
  decide();
  go(B);
  go(B);
  expect(decide).toHaveBeenCalledTimes(2);
  lifetime.abort();
});
