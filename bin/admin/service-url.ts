import { failure } from './admin-error.ts';
import type { Deployment } from './deployment.ts';

/** Where the service of a deployment answers. @throws AdminError when nothing answers there */
export function serviceUrl({ origin }: Deployment): string {
  if (origin.kind === 'stack') return origin.output('ApiUrl');
  if (origin.url !== undefined) return origin.url;
  throw failure(`No local instance runs on ${origin.folder}: run "npm start" first.`);
}
