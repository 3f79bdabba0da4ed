import type { Command } from 'commander';
import { UnexpectedReply } from '../../functions/probe.ts';
import { purgeRecords, purges } from '../../functions/runtime/parts/privacy.ts';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { HOUR, MINUTE, SECOND } from '../../shared/domain/duration.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../../shared/domain/ids.ts';
import type { KeyKind } from '../../shared/domain/project.ts';
import { modeOfPurge } from '../../shared/domain/purge.ts';
import type { Perform, Report } from './command.ts';
import { serviceUrl } from './deployment.ts';
import { createProject, type NewProject } from './project-commands.ts';
import type { Session } from './session.ts';
import { askAndAnswer, createSmokeLog, type SmokeStep } from './smoke-steps.ts';
import { fields } from './terminal.ts';

/** A purge in AWS takes about two minutes. */
const PURGE_POLL_MS = 2 * SECOND;
const PURGE_POLLS = (10 * MINUTE) / PURGE_POLL_MS;

const PLAIN = { allowedOrigins: [], limits: { quietPeriodMs: 0, monthlyCap: 0 } } as const;

const SMOKE = {
  ...PLAIN,
  name: 'smoke test',
  rates: { publishable: 0, secret: 0, address: 0 },
  tokenLifetimeMs: 10 * MINUTE,
} as const;

/** The settings of the stage contain this project's key, so low limits reduce misuse. */
const PROBE = {
  ...PLAIN,
  name: 'probe',
  rates: { publishable: 2, secret: 2 },
  tokenLifetimeMs: HOUR,
  impressions: false,
  probe: true,
} as const;
const PROBED_EVERY = '15m';

async function createWithSurvey(
  session: Session,
  slug: string,
  settings: NewProject,
  kinds?: readonly KeyKind[],
) {
  const created = await createProject(session, settings, kinds);
  const surveyId = composeSurveyId(session.random(SURVEY_ID_RANDOM_BYTES));
  const how = { type: 'nps', presentation: 'corner', trigger: 'manual' } as const;
  await projects(session.service).createSurvey(created.projectId, {
    id: surveyId,
    content: { slug, question: 'Does it work?', ...how },
    status: 'active',
    limits: {},
  });
  return { ...created, surveyId };
}

/** Uses the operator's access, so that it works if the stage fails. */
async function purge(session: Session, projectId: string, signal: AbortSignal) {
  const { service, purgeMachine, now, sleep } = session;
  await purges(service).open({ projectId }, now());
  await purgeMachine.settle();
  for (let poll = 1; ; poll++) {
    const records = await purgeRecords(service).list(projectId);
    const record = records.find((each) => modeOfPurge(each) === 'account');
    if (record?.state === 'done') return 'done';
    if (record?.state === 'failed') throw new UnexpectedReply('the purge failed');
    if (signal.aborted) return 'started';
    if (poll === PURGE_POLLS) throw new UnexpectedReply('the purge takes longer than ten minutes');
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
  // npm forwards signals that the terminal has already sent. Cleanup must continue after the second one.
  const interrupt = () => {
    if (signal.aborted) return;
    terminal.note('Interrupted: cleaning up.');
    controller.abort(new UnexpectedReply('interrupted'));
  };
  const run = async () => {
    const create = () => createWithSurvey(session, 'smoke', { id: projectId, ...SMOKE });
    const project = await log.take('create project', create, 'done');
    await askAndAnswer(project, { url, log, signal, sleep: (ms) => sleep(ms, signal) });
  };
  const cleanUp = () =>
    log.take('purge project', async () => {
      // Creation may fail after the project exists.
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
  // The log does not contain errors that occurred between steps.
  if (failure !== undefined && steps.every(({ problem }) => problem === undefined)) throw failure;
  const problem = problemOf(steps, projectId);
  const passed = problem === undefined;
  const text = passed ? `${url} works.` : `${url} did not pass the smoke test.`;
  return { json: { url, projectId, passed, steps }, text, problem };
}

async function createProbe(session: Session): Promise<Report> {
  const projectId = composeProjectId(session.random(PROJECT_ID_RANDOM_BYTES));
  const settings = { id: projectId, ...PROBE };
  const { publishableKey: key } = await createWithSurvey(session, 'probe', settings, ['publishable']);
  const probe = { every: PROBED_EVERY, key };
  return {
    json: { projectId, probe },
    text: fields({ Project: projectId, 'Settings of the stage': `"probe": ${JSON.stringify(probe)}` }),
  };
}

export function addSmokeCommands(program: Command, perform: Perform): void {
  program
    .command('smoke')
    .description('run a survey on the live stage from start to finish, and delete it afterwards')
    .action(perform(smoke));
  program
    .command('probe')
    .description('the project used by the synthetic monitor')
    .command('create')
    .description('create the project with its survey and key, and print the stage setting')
    .action(perform(createProbe));
}
