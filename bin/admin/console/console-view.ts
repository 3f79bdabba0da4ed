import { DEFAULT_GROUPS_CLAIM } from '../../../shared/domain/console.ts';
import type { Project } from '../../../shared/domain/project.ts';

export function consoleView({ consoleProvider, ...project }: Project) {
  if (consoleProvider === undefined) return null;
  return {
    ...consoleProvider,
    viewers: project.consoleViewers ?? [],
    editors: project.consoleEditors ?? [],
    groupsClaim: project.consoleGroupsClaim ?? DEFAULT_GROUPS_CLAIM,
    comments: project.consoleComments ?? 'editors',
  };
}

const whoText = (members: readonly string[]): string =>
  members.length === 0 ? 'nobody' : members.join(', ');

export function consoleFields(project: Project): Readonly<Record<string, string>> {
  const view = consoleView(project);
  if (view === null) return {};
  return {
    'console sign-in': `${view.issuer} (client ${view.clientId})`,
    'console viewers': whoText(view.viewers),
    'console editors': whoText(view.editors),
    'console groups': `claim ${view.groupsClaim}`,
    'console comments': view.comments,
  };
}

export function isForNobody(project: Project): boolean {
  const view = consoleView(project);
  return view !== null && view.viewers.length + view.editors.length === 0;
}
