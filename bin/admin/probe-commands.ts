import type { Command } from 'commander';
import { projects } from '../../functions/runtime/parts/projects.ts';
import { HOUR } from '../../shared/domain/duration.ts';
import {
  composeProjectId,
  composeSurveyId,
  PROJECT_ID_RANDOM_BYTES,
  SURVEY_ID_RANDOM_BYTES,
} from '../../shared/domain/ids.ts';
import type { Perform, Report } from './command.ts';
import { createProjectWith } from './project-commands.ts';
import type { Session } from './session.ts';
import { fields } from './terminal.ts';

const EVERY = '15m';

/** The stage's settings hold this project's publishable key, so these limits keep its misuse small. */
const SETTINGS = {
  name: 'probe',
  allowedOrigins: [],
  limits: { quietPeriodMs: 0, monthlyCap: 0 },
  rates: { publishable: 2, secret: 2 },
  tokenLifetimeMs: HOUR,
  impressions: false,
  probe: true,
} as const;

const CONTENT = {
  slug: 'probe',
  type: 'nps',
  question: 'Does it work?',
  presentation: 'corner',
  trigger: 'manual',
} as const;

async function create(session: Session): Promise<Report> {
  const { service, random } = session;
  const id = composeProjectId(random(PROJECT_ID_RANDOM_BYTES));
  const { publishable: key } = await createProjectWith(['publishable'], session, { id, ...SETTINGS });
  const surveyId = composeSurveyId(random(SURVEY_ID_RANDOM_BYTES));
  const survey = { id: surveyId, content: CONTENT, status: 'active', limits: {} } as const;
  await projects(service).createSurvey(id, survey);
  const probe = { every: EVERY, key };
  return {
    json: { projectId: id, probe },
    text: fields({ Project: id, 'Settings of the stage': `"probe": ${JSON.stringify(probe)}` }),
  };
}

export function addProbeCommands(program: Command, perform: Perform): void {
  program
    .command('probe')
    .description('the project used by the synthetic monitor')
    .command('create')
    .description('create the project with its survey and key, and print the stage setting')
    .action(perform(create));
}
