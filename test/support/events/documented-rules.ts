/** The event patterns of docs/events.md. */

import { readFileSync } from 'node:fs';
import type { CanvassEvent } from '../../../shared/domain/happening.ts';
import { matches } from './event-pattern.ts';

interface DocumentedRule {
  readonly name: string;
  readonly matches: (event: CanvassEvent) => boolean;
  readonly isMeant: (event: CanvassEvent) => boolean;
}

const SQS = 'SQS, for a worker that follows erasures';
const ATHENA = 'Athena, through Firehose';

const [, RULES = ''] = readFileSync('docs/events.md', 'utf8').split(/^## Two rules of your own$/m);
const SECTIONS = new Map(
  RULES.split(/^### /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

const blocksOf = (name: string, language: string): string[] => {
  const section = SECTIONS.get(name);
  if (section === undefined) throw new Error(`docs/events.md has no rule ${name}`);
  return [...section.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, text = '']) => text,
  );
};

function ruleOf(
  name: string,
  isMeant: DocumentedRule['isMeant'],
  deployment: string = 'canvass-test',
): DocumentedRule {
  const [text = ''] = blocksOf(name, 'json');
  const pattern = JSON.parse(text.replaceAll('canvass-prod', deployment));
  return { name, isMeant, matches: (event) => matches(pattern, { ...event }) };
}

const ofDeployment = ({ detail }: CanvassEvent) => detail.deployment === 'canvass-test';

export const DOCUMENTED_RULES: readonly DocumentedRule[] = [
  ruleOf(SQS, (event) => ofDeployment(event) && /Erased$|Purged$/.test(event['detail-type'])),
  ruleOf(
    ATHENA,
    (event) =>
      ofDeployment(event) && /^Response |^Dismissal Recorded|^Respondent Erased/.test(event['detail-type']),
  ),
];

export function checkRules(event: CanvassEvent): void {
  for (const { name, matches: isMatched, isMeant } of DOCUMENTED_RULES) {
    if (isMatched(event) !== isMeant(event))
      throw new Error(`the rule «${name}» is wrong about ${JSON.stringify(event)}`);
  }
}
