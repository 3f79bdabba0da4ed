import { readFileSync } from 'node:fs';

export function markdownAnchors(markdown: string): string[] {
  return [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9 -]/g, '')
      .replaceAll(' ', '-'),
  );
}

export interface RouteRow {
  /** Such as `GET /v1/results`, including aliases. */
  readonly requests: readonly string[];
  readonly cells: readonly string[];
}

export function routeRows(document: string): RouteRow[] {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^\| (`[A-Z]+ \/.*) \|$/gm)].map(([, row = '']) => ({
    requests: [...row.matchAll(/`([A-Z]+ \/[^`]*)`/g)].map(([, request = '']) => request),
    cells: row.split('|').map((cell) => cell.trim()),
  }));
}
