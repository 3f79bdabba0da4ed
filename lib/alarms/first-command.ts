import type { DeploymentSettings } from '../settings/settings.ts';

type Named = Pick<DeploymentSettings, 'name' | 'stage'>;

/** The lines of the last hours that a filter pattern finds (CloudWatch Logs, "Filter pattern syntax"). */
const tail = (group: string, pattern: string, since: string): string =>
  `aws logs tail ${group} --since ${since} --filter-pattern '${pattern}'`;

/** What a function logged. */
export const functionLog = (
  { name, stage }: Named,
  functionName: string,
  pattern: string,
  since = '3h',
): string => tail(`/${name}/${stage}/${functionName}`, pattern, since);

/** What each of several functions logged, under its name. */
export const functionLogs = (settings: Named, functionNames: readonly string[], pattern: string): string =>
  `for f in ${functionNames.join(' ')}; do echo "== $f"; ${functionLog(settings, '$f', pattern)}; done`;

/** What the gateway, or CloudFront, noted of requests. */
export const accessLog = (
  { name, stage }: Named,
  pattern: string,
  since = '3h',
  log: 'access' | 'edge' = 'access',
): string => tail(`/aws/vendedlogs/${name}/${stage}/${log}`, pattern, since);

/** Everything that went wrong: the service logs `error`, Lambda's runtime `ERROR`. */
export const ANY_ERROR = '?error ?ERROR ?timeout';
