/**
 * Makes a value when it is first asked for, and keeps it. The schemas of all routes take as long to make as zod takes to
 * load; a function that serves one route makes that route's alone, and of it only the input's.
 */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
