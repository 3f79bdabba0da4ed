/**
 * A product manager opens the link that `npm start` prints, creates and publishes a survey, sees a visitor's response,
 * handles the contact, pauses the survey, and puts the survey file into git.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Instance } from '../../../../local/instance.ts';
import { consoleLink } from '../../../../pages/person-links.ts';
import { runInProcess } from '../../../support/admin-cli.ts';
import * as steps from './hour-steps.ts';
import type { Person } from './person.ts';

export async function spendHour(person: Person, instance: Instance, dataFolder: string): Promise<void> {
  const { projectId, editorKey } = instance.demo;
  const survey = (command: string, file: string, ...flags: string[]) =>
    runInProcess(
      ['survey', command, '-f', file, '--project', projectId, '--local', '--data', dataFolder].concat(flags),
    );
  const inGit = join(dataFolder, 'surveys.yaml');
  expect((await survey('pull', inGit)).status).toBe(0);
  const before = readFileSync(inGit);

  const link = consoleLink(instance.url, projectId, editorKey);
  await person.open(link);
  await steps.makeSurvey(person);
  await steps.askToPublish(person);
  await steps.publish(person);
  await steps.answerAsVisitor(person, instance.url);
  await steps.seeItCounted(person, link);
  await steps.seeToPerson(person);
  await steps.pause(person);
  const exported = await steps.exportFile(person);

  // The earlier file lacks the survey, so it is refused.
  const refused = await survey('apply', inGit, '--prune');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('pro-nps')]);
  expect(readFileSync(inGit)).toEqual(before);
  writeFileSync(inGit, exported);
  expect((await survey('apply', inGit, '--prune')).status).toBe(0);
}
