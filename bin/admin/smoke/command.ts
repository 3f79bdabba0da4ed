/** `smoke`: asks and answers one survey on a live stage, and takes everything away again. */

import type { Command } from 'commander';
import { MINUTE, SECOND } from '../../../shared/domain/duration.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../../../shared/domain/ids.ts';
import { modeOfPurge } from '../../../shared/domain/purge.ts';
import type { Perform, Report } from '../command.ts';
import { createProject } from '../create-project.ts';
import { serviceUrl } from '../service-url.ts';
import type { Session } from '../session.ts';
import { type AskedProject, askAndAnswer } from './ask-and-answer.ts';
import { createSmokeCaller } from './caller.ts';
import { createSmokeLog, type SmokeStep, StepError } from './log.ts';

/** Of a purge in AWS: two minutes of waits, and the sweep of a few rows. */
const PURGE_POLL_MS = 2 * SECOND;
const PURGE_POLLS = (10 * MINUTE) / PURGE_POLL_MS;

type PurgeEnd = 'done' | 'started';

/** Nothing limits how often the one survey is asked. */
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

/**
 * Ctrl-C and SIGTERM, for as long as the command runs. npm passes on what the terminal has sent already, so one Ctrl-C
 * may come twice; clean-up is not cut short by it.
 */
function watchInterrupts(note: (text: string) => void) {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) return;
    note('Interrupted: cleaning up.');
    controller.abort(new StepError('interrupted'));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    release: () => {
      for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupt);
    },
  };
}

async function create(session: Session, id: string): Promise<AskedProject> {
  const keys = await createProject(session, { id, ...SETTINGS });
  const surveyId = composeSurveyId(session.random(SURVEY_ID_RANDOM_BYTES));
  await session.projects.createSurvey(id, { id: surveyId, content: CONTENT, status: 'active', limits: {} });
  return { ...keys, surveyId };
}

/** Purges the project, by the operator's own means: it must go also where the stage answers nothing. */
async function purge(session: Session, projectId: string, signal: AbortSignal): Promise<PurgeEnd> {
  const { purges, purgeMachine, purgeRecords, now, sleep } = session;
  await purges.open({ projectId }, now());
  await purgeMachine.settle();
  for (let poll = 1; ; poll++) {
    const record = (await purgeRecords.list(projectId)).find((each) => modeOfPurge(each) === 'account');
    if (record?.state === 'done') return 'done';
    if (record?.state === 'failed') throw new StepError('the purge failed');
    if (signal.aborted) return 'started';
    if (poll === PURGE_POLLS) throw new StepError('the purge takes longer than ten minutes');
    // An interrupt ends the wait; the purge goes on.
    await sleep(PURGE_POLL_MS, signal).catch(() => undefined);
  }
}

/** What the operator has to know and do; undefined when all went well. */
function problemOf(steps: readonly SmokeStep[], projectId: string): string | undefined {
  const failed = steps.find(({ problem }) => problem !== undefined);
  const end = steps.find(({ step }) => step === 'purge project');
  const left = end?.problem !== undefined || end?.status === 'started';
  const problems = [
    ...(failed === undefined ? [] : [`"${failed.step}" failed: ${failed.problem}.`]),
    ...(left ? [`The purge of project ${projectId} is not confirmed: see "purge status".`] : []),
  ];
  return problems.length === 0 ? undefined : problems.join(' ');
}

async function smoke(session: Session): Promise<Report> {
  const url = serviceUrl(session.deployment);
  const projectId = composeProjectId(session.random(PROJECT_ID_RANDOM_BYTES));
  const log = createSmokeLog(session);
  const { signal, release } = watchInterrupts(session.terminal.note);

  async function run(): Promise<void> {
    const project = await log.take('create project', async () => ({
      status: 'done',
      result: await create(session, projectId),
    }));
    const caller = createSmokeCaller({ url, signal });
    await askAndAnswer(project, { log, caller, sleep: (ms) => session.sleep(ms, signal) });
  }
  async function cleanUp(): Promise<void> {
    await log.take('purge project', async () => {
      // Creating may have failed before there was a project, or after.
      const isThere = log.steps.length > 1 || (await session.projects.read(projectId)) !== undefined;
      return { status: isThere ? await purge(session, projectId, signal) : 'none', result: undefined };
    });
  }
  try {
    // The log has what went wrong.
    await run().catch(() => undefined);
    await cleanUp().catch(() => undefined);
  } finally {
    release();
  }
  const problem = problemOf(log.steps, projectId);
  const passed = problem === undefined;
  return {
    json: { url, projectId, passed, steps: log.steps },
    text: passed ? `${url} asks and answers.` : `${url} did not pass.`,
    problem,
  };
}

export function addSmokeCommand(program: Command, perform: Perform): void {
  program
    .command('smoke')
    .description('ask and answer one survey on the live stage, and take everything away again')
    .action(perform(smoke));
}
