/** The entry of the results page: takes a key and opens its surveys. */

import { html } from '../../html.ts';
import { readView, writeView } from '../view.ts';
import { askerWith, Refused } from './ask.ts';
import type { Surveys } from './controls.ts';
import { find, show } from './dom.ts';
import {
  EDITOR_KEYS_END,
  forgetKey,
  hasKey,
  isEditorKey,
  isRemembered,
  keepKey,
  keyIn,
  keyProblem,
  remember,
  takeKey,
} from './reader-key.ts';
import { closeView, followAddress, offerAgain, openView, say } from './results-view.ts';

const keyForm = find('key-form', HTMLFormElement);
const keyField = find('key', HTMLInputElement);
const [keyTools, rememberBox] = [find('key-tools', HTMLElement), find('remember', HTMLInputElement)];
const [project, shown] = [find('project', HTMLElement), find('results', HTMLElement)];

let key = '';

function showProject({ name, accent }: { readonly name: string; readonly accent: string | null }): void {
  project.textContent = name;
  project.classList.toggle('coloured', accent !== null);
  project.style.setProperty('--own', accent);
}

function askForKey(problem: string): void {
  key = '';
  closeView();
  keyTools.hidden = true;
  keyForm.hidden = false;
  showProject({ name: 'Survey results', accent: null });
  document.title = 'Survey results';
  say(problem, problem !== '');
  keyField.focus();
}

function refuseKey(refused: string, why: string): void {
  forgetKey(refused);
  askForKey(`${why} ${isEditorKey(refused) ? EDITOR_KEYS_END : 'Ask for a new one.'}`);
}

/** Editor keys are not remembered, since other people may use the browser. */
function offerToRemember(): void {
  if (isEditorKey(key) && isRemembered(key)) remember(key, false);
  rememberBox.checked = isRemembered(key);
  if (rememberBox.parentElement) rememberBox.parentElement.hidden = isEditorKey(key);
}

async function open(given: string): Promise<void> {
  const candidate = keyIn(given);
  const problem = keyProblem(candidate);
  if (problem !== undefined) {
    forgetKey(candidate);
    return askForKey(problem);
  }
  say('Loading…');
  const asker = askerWith(candidate);
  let reply: Surveys;
  try {
    reply = await asker.ask<Surveys>('/v1/surveys');
  } catch (error) {
    if (error instanceof Refused && error.status === 401) return refuseKey(candidate, error.message);
    say(error instanceof Error ? error.message : '', true);
    offerAgain(() => void open(candidate));
    return;
  }
  const linked = readView(location.hash);
  if (linked.project !== undefined && linked.project !== reply.project.id)
    return askForKey(
      `This link belongs to another project. Your key opens ${reply.project.name}. Paste a key for the other project.`,
    );
  key = candidate;
  const { id, name } = reply.project;
  const { surveys } = reply;
  keepKey(key);
  offerToRemember();
  showProject(reply.project);
  keyField.value = '';
  keyForm.hidden = true;
  keyTools.hidden = false;
  if (surveys.length === 0) {
    say('');
    const words = 'Create surveys in the console or in a survey file.';
    return show(shown, html`<div class="card empty"><h2>No surveys yet</h2><p>${words}</p></div>`);
  }
  await openView({
    asker,
    mayHandle: isEditorKey(candidate),
    surveys,
    read: () => ({ ...readView(location.hash), project: id }),
    write: (view) => writeView(view) || location.pathname + location.search,
    tellTitle: (survey) => {
      document.title = `${survey?.slug ?? ''} · ${name}`;
    },
    end: ({ message }) => refuseKey(candidate, message),
  });
}

keyForm.addEventListener('submit', (event) => {
  event.preventDefault();
  void open(keyField.value);
});
rememberBox.addEventListener('change', () => remember(key, rememberBox.checked));
find('leave', HTMLButtonElement).addEventListener('click', () => {
  forgetKey();
  askForKey('You are signed out. This browser no longer has the key.');
});
addEventListener('popstate', () => {
  // Someone opened a link with a key in this tab.
  if (hasKey()) return begin();
  followAddress();
});

function begin(): void {
  const { key: taken, problem } = takeKey();
  if (taken === undefined) askForKey(problem ?? '');
  else void open(taken).then(() => problem && say(problem, true));
}
begin();
