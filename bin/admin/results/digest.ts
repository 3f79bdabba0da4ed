import { digestText } from '../../../functions/digest/digest-lines.ts';
import { type Digest, digestOf } from '../../../functions/digest/project-digest.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { projectSettings } from '../../../functions/runtime/settings-cache.ts';
import { daysOfWeek, lastWeek } from '../../../shared/domain/weeks.ts';
import { misuse } from '../admin-error.ts';
import type { Report } from '../command.ts';
import type { Session } from '../session.ts';
import { noteUncounted } from './query.ts';

export interface DigestFlags {
  readonly project?: string;
  readonly week?: string;
}

async function chosen(session: Session, { project }: DigestFlags): Promise<readonly string[]> {
  if (project === undefined) return (await projects(session.service).list()).map(({ id }) => id);
  return [(await session.record(project)).project.id];
}

const addressOf = ({ deployment: { origin } }: Session): string | undefined =>
  origin.kind === 'local' ? origin.url : origin.output('ApiUrl');

export async function digestResults(session: Session, flags: DigestFlags): Promise<Report> {
  const last = lastWeek(session.now());
  const { week = last } = flags;
  const days = daysOfWeek(week);
  if (days === undefined || week > last) throw misuse(`--week must be a complete week, such as ${last}.`);
  const { service } = session;
  const digests: (Digest & { readonly projectId: string })[] = [];
  for (const projectId of await chosen(session, flags)) {
    const settings = await projectSettings(service).load(projectId);
    const digest = settings && (await digestOf({ service, settings, week }));
    if (digest !== undefined) digests.push({ projectId, ...digest });
  }
  noteUncounted(session);
  const url = addressOf(session);
  const text = digests.map((digest) => digestText(digest, url)).join('\n\n');
  return { json: digests, text: text === '' ? `There is nothing to report for ${week}.` : text };
}
