/** `smoke`: answers one survey on a live stage, and purges it again. */

import type { Command } from 'commander';
import { purgeRecords, purges } from '../../../functions/runtime/parts/privacy.ts';
import { projects } from '../../../functions/runtime/parts/projects.ts';
import { MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../../../shared/domain/ids.ts';
import { modeOfPurge } from '../../../shared/domain/purge.ts';
import type { Perform, Report } from '../command.ts';
import { serviceUrl } from '../deployment.ts';
import { createProject } from '../project-commands.ts';
import type { Session } from '../session.ts';
import { askAndAnswer } from './ask-and-answer.ts';
import { createSmokeLog, type SmokeStep, StepError } from './log.ts';

/** A purge in AWS waits about two minutes. */
const PURGE_POLL_MS = 2 * SECOND;
const PURGE_POLLS = (10 * MINUTE) / PURGE_POLL_MS;

const SETTINGS = {
  name: 'smoke test',
  allowedOrigins: [],
  limits: { quietPeriodMs: 0, monthlyCap: 0 },
  rates: { publishable: 0, secret: 0, address: 0 },
  tokenLifetimeMs: 10 * MINUTE,
} as const;

const CONTENT = {
  slug: 'smoke',
  type: 'nps',
  question: 'Does it work?',
  presentation: 'corner',
  trigger: 'manual',
} as const;

async function create(session: Session, id: string) {
  const keys = await createProject(session, { id, ...SETTINGS });
  const surveyId = composeSurveyId(session.random(SURVEY_ID_RANDOM_BYTES));
  const survey = { id: surveyId, content: CONTENT, status: 'active', limits: {} } as const;
  await projects(session.service).createSurvey(id, survey);
  return { ...keys, surveyId };
}

/** Uses the operator's own access, so that it works even if the stage does not respond. */
async function purge(session: Session, projectId: string, signal: AbortSignal) {
  const { service, purgeMachine, now, sleep } = session;
  await purges(service).open({ projectId }, now());
  await purgeMachine.settle();
  for (let poll = 1; ; poll++) {
    const records = await purgeRecords(service).list(projectId);
    const record = records.find((each) => modeOfPurge(each) === 'account');
    if (record?.state === 'done') return 'done';
    if (record?.state === 'failed') throw new StepError('the purge failed');
    if (signal.aborted) return 'started';
    if (poll === PURGE_POLLS) throw new StepError('the purge takes longer than ten minutes');
    // An interrupt ends the wait, not the purge.
    await sleep(PURGE_POLL_MS, signal).catch(() => undefined);
  }
}

function problemOf(steps: readonly SmokeStep[], projectId: string): string | undefined {
  const failed = steps.find(({ problem }) => problem !== undefined);
  const end = steps.find(({ step }) => step === 'purge project');
  const isLeft = end?.problem !== undefined || end?.status === 'started';
  const said = failed ? [`The step "${failed.step}" failed: ${failed.problem}.`] : [];
  if (isLeft) said.push(`The purge of project ${projectId} is not confirmed. Check it with "purge status".`);
  return said.join(' ') || undefined;
}

async function smoke(session: Session): Promise<Report> {
  const { service, deployment, random, sleep, show, now, terminal } = session;
  const url = serviceUrl(deployment);
  const projectId = composeProjectId(random(PROJECT_ID_RANDOM_BYTES));
  const log = createSmokeLog(show, now);
  const controller = new AbortController();
  const { signal } = controller;
  // npm forwards a signal that the terminal has already sent, so one Ctrl-C may arrive twice. Cleanup must survive it.
  const interrupt = () => {
    if (signal.aborted) return;
    terminal.note('Interrupted: cleaning up.');
    controller.abort(new StepError('interrupted'));
  };
  const run = async () => {
    const project = await log.take('create project', () => create(session, projectId), 'done');
    await askAndAnswer(project, { url, log, signal, sleep: (ms) => sleep(ms, signal) });
  };
  const cleanUp = () =>
    log.take('purge project', async () => {
      // Creation may fail before or after the project exists.
      const isThere = log.steps.length > 1 || (await projects(service).read(projectId)) !== undefined;
      log.status = isThere ? await purge(session, projectId, signal) : 'none';
    });
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, interrupt);
  let failure: unknown;
  await run().catch((error: unknown) => {
    failure = error;
  });
  await cleanUp().catch(() => undefined);
  for (const name of ['SIGINT', 'SIGTERM']) process.off(name, interrupt);
  const { steps } = log;
  // An error between two steps is not in the log.
  if (failure !== undefined && steps.every(({ problem }) => problem === undefined)) throw failure;
  const problem = problemOf(steps, projectId);
  const passed = problem === undefined;
  const text = passed ? `${url} works.` : `${url} did not pass the smoke test.`;
  return { json: { url, projectId, passed, steps }, text, problem };
}

export function addSmokeCommand(program: Command, perform: Perform): void {
  program
    .command('smoke')
    .description('run a survey on the live stage from start to finish, and delete it afterwards')
    .action(perform(smoke));
}
