const hushed = new WeakSet<HTMLElement>();

/**
 * Loaded on demand. Modals of the page may pull the focus back when it enters a survey. focus-trap listens to `focusin`
 * on the document while it is captured, Bootstrap and MUI while it bubbles, and Headless UI to `focus` on the window.
 * Radix also listens to `focusout` of its own fields, and ignores one that goes nowhere. focus-lock and React Aria read
 * attributes.
 */
export function hush(host: Element, panel: HTMLElement): void {
  if (hushed.has(panel)) return;
  hushed.add(panel);
  host.setAttribute('data-no-focus-lock', '');
  host.setAttribute('data-react-aria-top-layer', 'true');
  const ended = new AbortController();
  let from: EventTarget | null = null;
  // A shadow root around the survey hides moves within it from the window. The build would rename `root.host`.
  const places: EventTarget[] = [window];
  for (
    let root = host.getRootNode();
    root instanceof ShadowRoot;
    root = Reflect.get(root, 'host').getRootNode()
  )
    places.push(root);
  /** The window hears events before the document. Moves within the survey never get here. */
  const hear = (event: Event) => {
    if (!host.isConnected) return ended.abort();
    if (!event.composedPath().includes(host)) return;
    event.stopImmediatePropagation();
    if (!(event instanceof FocusEvent) || event.type !== 'focusin') return;
    const relatedTarget = event.relatedTarget ?? from;
    panel.dispatchEvent(new FocusEvent('focusin', { relatedTarget }));
  };
  const options = { capture: true, signal: ended.signal };
  for (const place of places)
    for (const type of ['focus', 'focusin', 'blur', 'focusout']) place.addEventListener(type, hear, options);
  panel.addEventListener(
    'mousedown',
    () => {
      let { activeElement } = document;
      while (activeElement !== host && activeElement?.shadowRoot?.activeElement)
        activeElement = activeElement.shadowRoot.activeElement;
      if (activeElement === host || !(activeElement instanceof HTMLElement)) return;
      from = activeElement;
      activeElement.blur();
    },
    options,
  );
}
