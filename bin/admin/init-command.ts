import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { ADMIN, START } from '../../local/called-as.ts';
import { TYPE_TEXTS } from '../../pages/type-texts.ts';
import { failure, misuse } from './admin-error.ts';
import type { Alone, PerformAlone, Report } from './command.ts';
import { typesOf } from './survey/commands.ts';
import { readSurveyFile } from './survey/read-survey-file.ts';

const FRAMEWORKS = ['react', 'next', 'page', 'server', 'python'] as const;
/** A choice also needs answers, which three questions cannot ask for. */
const TYPES = ['nps', 'csat', 'ces', 'pmf', 'thumbs', 'open'] as const;

type Framework = (typeof FRAMEWORKS)[number];

interface Flags {
  readonly framework?: Framework;
  readonly type?: (typeof TYPES)[number];
  readonly question?: string;
  readonly url: string;
  readonly key: string;
  readonly overwrite?: boolean;
  readonly yes?: boolean;
}

interface Snippet {
  readonly file: string;
  readonly package: string;
  readonly text: (slug: string, flags: Flags) => string;
  readonly next: string;
}

const component: Snippet['text'] = (slug, { url, key }) => `\
import { CanvassProvider, InlineSurvey } from '@canvass-surveys/react';
import type { Surveys } from './surveys.d.ts';

/** The place of the question. \`userId\` is your id of the person who is signed in. */
export function CanvassSurvey({ userId }: { userId?: string | null }) {
  return (
    <CanvassProvider clientKey="${key}" baseUrl="${url}" userId={userId}>
      <InlineSurvey<Surveys> slug="${slug}" />
    </CanvassProvider>
  );
}
`;

const REACT: Snippet = {
  file: 'canvass-survey.tsx',
  package: 'npm install @canvass-surveys/react',
  text: component,
  next: 'Render <CanvassSurvey userId={…} /> where you ask.',
};

const SNIPPETS: Readonly<Record<Framework, Snippet>> = {
  react: REACT,
  next: { ...REACT, text: (...given) => `'use client';\n\n${component(...given)}` },
  page: {
    file: 'canvass-survey.html',
    package: 'npm install @canvass-surveys/browser',
    text: (slug, { url, key }) => `\
<!-- Serve node_modules/@canvass-surveys/browser/dist at /canvass. -->
<div data-canvass="${slug}"></div>
<script async src="/canvass/canvass.js" data-key="${key}" data-base-url="${url}"></script>
`,
    next: 'Copy the lines of canvass-survey.html into your page, where you ask.',
  },
  server: {
    file: 'canvass-survey.ts',
    package: 'npm install @canvass-surveys/server',
    text: (slug, { url }) => `\
import { createCanvassClient } from '@canvass-surveys/server';
import type { Surveys } from './surveys.d.ts';

const { CANVASS_URL: baseUrl = '${url}', CANVASS_SECRET_KEY: secretKey = '' } = process.env;
const canvass = createCanvassClient<Surveys>({ baseUrl, secretKey, deadlineMs: 2_000 });

/** The binding that your page passes to \`bind\` or \`<Feedback>\`. Undefined if this person may not be asked. */
export async function bindingFor(respondentId: string, sessionId: string) {
  const { bindings } = await canvass.mintTokens({ respondentId, sessionId, surveySlug: '${slug}' });
  return bindings['${slug}'];
}
`,
    next: 'Set CANVASS_SECRET_KEY, and send bindingFor(…) to your page.',
  },
  python: {
    file: 'canvass_survey.py',
    package: 'pip install canvass-surveys',
    text: (slug, { url }) => `\
import os

from canvass_surveys import CanvassClient

canvass = CanvassClient(
    os.environ.get("CANVASS_URL", "${url}"), os.environ["CANVASS_SECRET_KEY"], deadline=2.0
)


def binding_for(respondent_id: str, session_id: str):
    """The binding that your page passes to \`bind\`. None if this person may not be asked."""
    minted = canvass.mint_tokens(survey_slug="${slug}", respondent_id=respondent_id, session_id=session_id)
    return minted["bindings"].get("${slug}")
`,
    next: 'Set CANVASS_SECRET_KEY, and send binding_for(…) to your page.',
  },
};

function frameworkIn(folder: string): Framework {
  const has = (name: string) => existsSync(join(folder, name));
  const dependencies = has('package.json') ? readFileSync(join(folder, 'package.json'), 'utf8') : '';
  const found = FRAMEWORKS.slice(0, 2).findLast((name) => dependencies.includes(`"${name}":`));
  if (found !== undefined) return found;
  if (dependencies !== '') return has('index.html') ? 'page' : 'server';
  return has('pyproject.toml') || has('requirements.txt') ? 'python' : 'page';
}

const surveyText = (type: string, question: string, isPage: boolean): string => `\
# Every field: canvass docs admin#surveys
surveys:
  - slug: ${type}
    type: ${type}
    question: ${JSON.stringify(question)}
    presentation: inline
${isPage ? '' : '    trigger: manual\n    repeat: session\n'}`;

async function init({ terminal }: Alone, flags: Flags, [folder = '.']: readonly string[]): Promise<Report> {
  if (!flags.yes && !terminal.isInteractive)
    throw misuse('Standard input is not a terminal. Add --yes to accept the defaults of the questions.');
  return terminal.converse(async (ask) => {
    const answer = async (text: string, fallback: string) => {
      if (flags.yes) return fallback;
      const typed = await ask(`${text} [${fallback}] `);
      if (typed === undefined) throw failure('Nothing was written.');
      return typed || fallback;
    };
    async function choose<Name extends string>(
      text: string,
      names: readonly Name[],
      fallback: Name,
    ): Promise<Name> {
      const typed = await answer(`${text} (${names.join(', ')})`, fallback);
      return names.find((name) => name === typed) ?? choose(text, names, fallback);
    }
    const framework = flags.framework ?? (await choose('Where do you ask?', FRAMEWORKS, frameworkIn(folder)));
    const isPage = framework !== 'server' && framework !== 'python';
    const type = flags.type ?? (await choose('Which type of survey?', TYPES, isPage ? 'nps' : 'thumbs'));
    const question = flags.question ?? (await answer('What is the question?', TYPE_TEXTS[type].question));
    const snippet = SNIPPETS[framework];
    const hasTypes = /\.tsx?$/.test(snippet.file);
    const source = hasTypes && existsSync(join(folder, 'src')) ? join(folder, 'src') : folder;
    const surveys = join(folder, 'surveys.yaml');
    const types = join(source, 'surveys.d.ts');
    const code = join(source, snippet.file);
    const files = [surveys, ...(hasTypes ? [types] : []), code];
    const replaced = files.filter((file) => existsSync(file));
    if (replaced.length > 0 && !flags.overwrite) {
      const exist = `These files exist: ${replaced.join(', ')}.`;
      if (flags.yes) throw misuse(`${exist} Add --overwrite to replace them. Nothing was written.`);
      const replaces = /^y(es)?$/i.test((await ask(`${exist} Replace them? [y/N] `)) ?? '');
      if (!replaces) throw failure('Nothing was written.');
    }
    const write = (file: string, text: string) =>
      writeFileSync(file, text, { flag: replaced.includes(file) ? 'w' : 'wx' });
    mkdirSync(folder, { recursive: true });
    write(surveys, surveyText(type, question, isPage));
    if (hasTypes) write(types, typesOf(readSurveyFile(surveys).surveys.map(({ content }) => content)));
    write(code, snippet.text(type, flags));
    const steps = [
      `Start the service with ${START}, and run ${ADMIN} --local survey apply --project ID -f ${surveys}`,
      snippet.package,
      snippet.next,
    ];
    return {
      json: { framework, type, question, files, replaced },
      text: [`Wrote ${files.join(', ')}.`, ...steps.map((step, at) => `${at + 1}. ${step}`)].join('\n'),
    };
  });
}

export function addInitCommand(program: Command, perform: PerformAlone): void {
  program
    .command('init [folder]')
    .description('write a survey file, its types and the code for your framework; asks three questions')
    .addOption(new Option('--framework <name>', 'defaults to what the folder contains').choices(FRAMEWORKS))
    .addOption(new Option('--type <type>', 'type of the survey').choices(TYPES))
    .option('--question <text>', 'the question')
    .option('--url <url>', 'address of the service', 'http://localhost:8787')
    .option('--key <key>', 'publishable key of the project', 'svc_pk_…')
    .option('--overwrite', 'replace files that exist')
    .option('--yes', 'do not ask: use flags and defaults')
    .action(perform(init));
}
