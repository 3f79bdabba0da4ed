/** Test files of a worker share its process, but each evaluates the modules again. */
export function oncePerProcess<Made>(name: string, make: () => Made): Made {
  const key = Symbol.for(`canvass.${name}`);
  const shared = globalThis as { [key]?: Made };
  shared[key] ??= make();
  return shared[key];
}
