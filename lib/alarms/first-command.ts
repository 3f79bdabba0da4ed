import type { DeploymentSettings } from '../settings/settings.ts';

type Named = Pick<DeploymentSettings, 'name' | 'stage'>;

/** Filter patterns: CloudWatch Logs, "Filter pattern syntax". */
const tail = (group: string, pattern: string, since: string): string =>
  `aws logs tail ${group} --since ${since} --filter-pattern '${pattern}'`;

export const functionLog = (
  { name, stage }: Named,
  functionName: string,
  pattern: string,
  since = '3h',
): string => tail(`/${name}/${stage}/${functionName}`, pattern, since);

export const functionLogs = (settings: Named, functionNames: readonly string[], pattern: string): string =>
  `for f in ${functionNames.join(' ')}; do echo "== $f"; ${functionLog(settings, '$f', pattern)}; done`;

export const accessLog = (
  { name, stage }: Named,
  pattern: string,
  since = '3h',
  log: 'access' | 'edge' = 'access',
): string => tail(`/aws/vendedlogs/${name}/${stage}/${log}`, pattern, since);

/** The service logs `error`, Lambda's runtime `ERROR`. */
export const ANY_ERROR = '?error ?ERROR ?timeout';
