import { useCallback, useLayoutEffect, useRef } from 'preact/hooks';

/** @returns whether the screen is gone: what it has asked may be answered yet, and is no longer of what somebody sees */
export function useOver(): () => boolean {
  const isOver = useRef(false);
  useLayoutEffect(
    () => () => {
      isOver.current = true;
    },
    [],
  );
  return useCallback(() => isOver.current, []);
}
