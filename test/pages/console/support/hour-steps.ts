/** Steps of a product manager. A test and the screenshots share them. */

import { until } from '../../../support/until.ts';
import type { Person } from './person.ts';

const QUESTION = 'How likely are you to recommend Fern & Clay?';
const GERMAN = 'Wie wahrscheinlich ist es, dass Sie Fern & Clay empfehlen?';
const SAID = 'The moss came dry';

/** Creates an NPS survey for the plan pro, in two languages, for ten percent, every 90 days. */
export async function makeSurvey(person: Person): Promise<void> {
  await person.press('link', 'New survey');
  await person.type('Question', QUESTION);
  await person.type('Name', 'pro-nps');
  await person.type('Follow-up question', 'What is the reason?');
  await person.press('button', 'Add a condition');
  await person.type('Trait 1', 'plan');
  await person.type('Value of trait 1', 'pro');
  await person.type('Percentage of people asked', '10');
  await person.run("document.querySelector('[name=field-repeat][value=after]').click()");
  await person.pick('Add a language', 'de');
  await person.type('Question, German', GERMAN);
  await person.type('Follow-up question, German', 'Was ist der Grund?');
}

export async function askToPublish(person: Person): Promise<void> {
  await person.press('button', 'Publish');
  await person.see('heading', 'Publish pro-nps');
}

export async function publish(person: Person): Promise<void> {
  await person.press('button', 'Publish');
  await person.see('heading', 'Edit pro-nps Active');
}

/**
 * Answers as a demo visitor who has the plan, is in the sample and reads German.
 * @param url of the local run
 */
export async function answerAsVisitor(person: Person, url: string): Promise<void> {
  await person.open(`${url}/?survey=pro-nps&plan=pro&language=de`);
  // The demo chooses a visitor of the sample once it knows the survey's type.
  await until(async () => (await person.read('[name=survey]')).includes('· Pro nps'));
  await person.press('button', 'New visitor');
  await person.inFrame('input[value="3"]');
  await person.inFrame('.send');
  await person.inFrame('textarea', SAID);
  await person.inFrame('.contact input');
  await person.inFrame('.send');
  await until(async () => (await person.read('#stored')).includes(SAID));
}

/** @param address of the console */
export async function seeItCounted(person: Person, address: string): Promise<void> {
  const line = `document.querySelector('a[href="#/survey/pro-nps"]').closest('li').innerText`;
  await until(async () => {
    await person.open('about:blank');
    await person.open(address);
    await person.see('link', QUESTION);
    return /Responses\s*1\b/i.test(String(await person.run(line)));
  });
}

export async function seeToPerson(person: Person): Promise<void> {
  await person.press('link', QUESTION);
  await until(async () => (await person.read('main')).includes(SAID));
  await person.press('button', 'Mark as handled');
  await until(async () => (await person.read('main')).includes('Handled on'));
}

export async function pause(person: Person): Promise<void> {
  await person.press('link', 'Edit');
  await person.press('button', 'Pause');
  await person.see('heading', 'Pause pro-nps');
  await person.press('button', 'Pause');
  await person.see('heading', 'Edit pro-nps Paused');
}

export async function exportFile(person: Person): Promise<string> {
  await person.press('link', 'Survey file');
  const file = "document.querySelector('main textarea')?.value ?? ''";
  await until(async () => String(await person.run(file)).includes('pro-nps'));
  return String(await person.run(file));
}
