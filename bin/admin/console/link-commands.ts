/** `console link`: opens the console of a project to somebody who has no account, as a viewer. */

import type { Command } from 'commander';
import { consoleLink } from '../../../pages/person-links.ts';
import { type Perform, requireProject } from '../command.ts';
import { addLinkFlags, type LinkFlags, linkPerson } from './person-link.ts';

export function addConsoleCommands(program: Command, perform: Perform): void {
  const console = program.command('console').description('surveys and results in a browser');
  addLinkFlags(
    requireProject(
      console
        .command('link')
        .description('make a reader key, and a link that opens the console of a project, to look'),
    ),
  ).action(
    perform<LinkFlags>((session, flags) =>
      linkPerson(session, flags, (service, key) => consoleLink(service, flags.project, key)),
    ),
  );
}
