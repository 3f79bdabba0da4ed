/** `survey log`: the last changes of a project's surveys. */

import { surveys } from '../../../functions/runtime/compose.ts';
import type { SurveySetChange } from '../../../shared/domain/surveys/survey-change.ts';
import type { Report } from '../command.ts';
import type { Session } from '../session.ts';
import { columns, printable } from '../terminal.ts';

function whatText({ surveys: changed, isReordered }: SurveySetChange): string {
  const parts = changed.map(({ slug, action, fields }) =>
    action === 'created' ? `+ ${slug}` : `~ ${slug}: ${fields.join(', ')}`,
  );
  return printable([...parts, ...(isReordered ? ['the order'] : [])].join('; '));
}

export async function showLog(session: Session, { project }: { readonly project: string }): Promise<Report> {
  await session.record(project);
  const changes = await surveys(session.service).log(project);
  const rows = changes.map((change) => [
    change.at,
    printable(change.by),
    change.source,
    String(change.revision),
    whatText(change),
  ]);
  return {
    json: changes,
    text:
      rows.length === 0
        ? 'No change was noted.'
        : columns(['WHEN', 'BY', 'IN', 'REVISION', 'WHAT'], rows, session.terminal),
  };
}
