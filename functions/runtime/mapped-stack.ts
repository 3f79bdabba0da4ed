/**
 * Stack traces in terms of the source. The map of a bundle is read when the first error is logged: Node's own
 * `--enable-source-maps` reads it at every cold start (docs/decisions/0041).
 */

import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** A line of a trace that is a frame; the others are messages, which may hold anything. */
const FRAME = /^[ \t]+at .*/gm;

/** File, line and column of a frame; only bundles are JavaScript. Bounded, as is the time that a long line takes. */
const PLACE = /(?:file:\/\/)?(\/[^\s():]{1,500}?\.[cm]?js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | undefined>();

function readMap(file: string): SourceMap | undefined {
  if (maps.has(file)) return maps.get(file);
  let map: SourceMap | undefined;
  try {
    map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')));
  } catch {
    // Without a map, or with one that is broken, the trace stays as it is.
  }
  maps.set(file, map);
  return map;
}

function mappedFrame(frame: string): string {
  return frame.replace(PLACE, (place, file: string, line: string, column: string) => {
    const origin = readMap(file)?.findOrigin(Number(line), Number(column));
    if (origin === undefined || !('fileName' in origin)) return place;
    return `${origin.fileName.replace(/^(?:\.\.?\/)+/, '')}:${origin.lineNumber}:${origin.columnNumber}`;
  });
}

/** The trace with every place in a bundle that has a map replaced by the place in the source, from the repository's root. */
export function mappedStack(stack: string): string {
  return stack.replace(FRAME, mappedFrame);
}
