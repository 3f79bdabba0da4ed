import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface MenuProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** Buttons behind a button: closed once one was pressed, by Escape, and where somebody goes on elsewhere. */
export function Menu({ label, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      const { current } = menu;
      if (current !== null && target instanceof Node && !current.contains(target)) current.open = false;
    };
    document.addEventListener('click', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('click', leave);
      document.removeEventListener('focusin', leave);
    };
  }, []);
  return (
    <details
      class="menu"
      ref={menu}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== 'Escape' || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector('summary')?.focus();
      }}
    >
      <summary>{label}</summary>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click of what is in it, which a key does as well */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears the buttons within */}
      <div
        onClick={({ target }) => {
          const { current } = menu;
          if (current === null || !(target instanceof HTMLButtonElement)) return;
          current.open = false;
          current.querySelector('summary')?.focus();
        }}
      >
        {children}
      </div>
    </details>
  );
}
