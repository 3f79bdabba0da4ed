/**
 * Makes a value when it is first asked for, and keeps it. The schemas of all routes and rows take longer to make than zod
 * takes to load; a function makes those that it reads with, when it reads.
 */
/* @__NO_SIDE_EFFECTS__ */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
