export function element<T extends keyof HTMLElementTagNameMap>(
  tag: T,
  text = '',
  ...children: Node[]
): HTMLElementTagNameMap[T] {
  const made = document.createElement(tag);
  made.append(text, ...children);
  return made;
}

/** A line that opens to what is behind it. */
export function details(line: string, content: unknown): HTMLDetailsElement {
  return element('details', '', element('summary', line), element('pre', JSON.stringify(content, null, 2)));
}
