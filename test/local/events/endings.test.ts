/** Which words the events of a local run lose, without an instance. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openLocalEvents } from '../../../local/events/local-events.ts';
import type { CanvassEvent, EventType } from '../../../shared/domain/happening.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let made = 0;
const anEvent = (type: EventType, minute: number, detail: object = {}): CanvassEvent => ({
  source: 'canvass',
  'detail-type': type,
  detail: {
    version: 1,
    id: String(++made),
    projectId: 'p',
    at: new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString(),
    ...detail,
  },
});
const ANSWER = { answerId: 'a', respondentId: 'ann', surveyId: 'sv_1' };
const WORDS = { text: 'SECRET', traits: { plan: 'SECRET' }, contact: 'SECRET' };
const response = (minute: number, detail: object = {}) =>
  anEvent('Response Recorded', minute, { ...ANSWER, ...WORDS, ...detail });

const once = (stop: () => Promise<void>) => {
  let stopping: Promise<void> | undefined;
  return () => (stopping ??= stop());
};

/** Events that nobody takes, in a folder. */
function open(folder: string) {
  const taken: string[] = [];
  const print = async (line: string) => {
    taken.push(line);
    throw new Error('not taken');
  };
  const events = openLocalEvents({ target: { print }, folder, onFailure: () => undefined });
  const stop = once(events.stop);
  onTestFinished(stop);
  return { ...events, stop, taken, file: () => readFileSync(join(folder, 'events.db'), 'utf8') };
}

test.each<[EventType, object]>([
  ['Respondent Erased', { respondentId: 'ann' }],
  ['Response Withdrawn', { ...ANSWER, text: null, traits: null, contact: null }],
  ['Survey Purged', { surveyId: 'sv_1', surveySlug: null, surveyType: null }],
  ['Account Purged', {}],
])(
  '%s: waiting events lose their words, also those that it has overtaken; others keep theirs',
  async (type, detail) => {
    const folder = temporaryFolder();
    const events = open(folder);
    const before = response(1);
    const another = response(1, {
      answerId: 'b',
      respondentId: 'bob',
      surveyId: 'sv_2',
      projectId: 'q',
      text: 'KEPT',
      traits: null,
      contact: null,
    });
    await events.outlet.send([before, another]);
    expect(events.file()).toContain('SECRET');
    await events.outlet.send([anEvent(type, 2, detail)]);
    expect(events.file()).not.toContain('SECRET');
    const overtaken = response(2);
    await events.outlet.send([overtaken]);
    await events.stop();

    const again = open(folder);
    await again.outlet.send([response(2)]);
    expect(again.file()).not.toContain('SECRET');
    expect(again.file()).toContain('KEPT');
    expect(JSON.stringify(events.last())).not.toContain('SECRET');
    const told = again.taken.map((line) => JSON.parse(line));
    for (const {
      detail: { id },
    } of [before, overtaken]) {
      const event = told.find((each) => each.detail.id === id);
      expect(event.detail).toMatchObject({ ...ANSWER, text: null, traits: null, contact: null });
    }
    await again.outlet.send([response(3)]);
    expect(again.file()).toContain('SECRET');
  },
);
