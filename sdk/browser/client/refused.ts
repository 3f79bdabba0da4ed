/** Loaded on demand, if a submission is not stored: the service refused it, or its time is over. */

import { stickyHash } from '../../../shared/domain/surveys/sticky-hash.ts';
import { putInto } from '../widget/element.ts';
import type { Lost } from '../widget/lost.ts';
import css from '../widget/widget.css';
import { CAPABILITIES } from './eligibility.ts';
import type { Mail, Refused } from './modules.ts';
import type { Reply } from './post.ts';
import type { KeptSubmission, Submission } from './storage.ts';
import { ANNOUNCE_MS, LONGEST_MS, NEWEST_MS } from './times.ts';

/** If the token attests these, an answer must also contain them. */
const ATTESTED = ['traceId', 'observationId'];

/** Whether the token was used by this submission, whose reply was lost. */
function isOwn({ path, tries, until = 0 }: KeptSubmission, { kind = 'response', at }: Used): boolean {
  // The answer that exists says more than a dismissal.
  if (path === '/v1/dismissals') return true;
  // After a first attempt, only an answer from before it is certainly another one. Clocks differ.
  const isOlder = tries < 2 && Date.parse(`${at}`) < until - LONGEST_MS - NEWEST_MS;
  return kind === 'response' && !isOlder;
}

type RefusedError = NonNullable<Reply['data']['error']>;
type Used = NonNullable<RefusedError['details']>;

/** The service decides again whether this person may be asked. */
async function askAgain(
  { post, person, options }: Mail,
  { userId }: Submission['body'],
  tries: number,
  open?: string,
): Promise<Reply> {
  // The page's proof is for the person who is signed in now.
  const token = userId === person.id() ? person.token : undefined;
  const userToken = await (async () => (typeof token === 'function' ? token() : token))().catch(
    () => undefined,
  );
  return post('/v1/sdk/bootstrap', { key: options.key, userId, userToken, types: CAPABILITIES, open }, tries);
}

/** The page may prove the person's identity later. */
const UNPROVED_MS = 60_000;

const thanked = () =>
  [...document.querySelectorAll('canvass-survey')].findLast((host) =>
    host.shadowRoot?.querySelector('section.thanks'),
  );

let shown: Element | undefined;

/** Replaces the thanks. They may have left by now, or an earlier page showed them. */
async function show(
  { load, options, signal, person }: Mail,
  { body: { userId }, tries }: KeptSubmission,
  { sentence, style, words }: Lost,
) {
  const { kit } = await load('kit');
  const english = { close: 'Close' };
  const { host, panel, voice, words: named } = await kit.createBox({}, options, english, css, style);
  // Nobody else may read the words.
  const isTheirs = () => person.id() === userId;
  if (signal.aborted || !isTheirs()) return;
  shown?.remove();
  shown = host;
  const close = kit.element(
    'button',
    { className: 'close', ariaLabel: named.close, onclick: () => host.remove() },
    kit.drawing('M7 7l10 10m0-10L7 17'),
  );
  // Thanks on the screen belong to a later answer if this one was sent before.
  const before = tries === 1 ? thanked() : undefined;
  const place = before?.parentElement ?? document.documentElement;
  const hadFocus = document.activeElement === before;
  const look = before?.shadowRoot?.querySelector('section')?.className ?? 'corner bottom-right';
  panel.className = `${look.replace(/\b(thanks|leaving|asks)\b/g, '')} lost`;
  panel.ariaLabel = sentence;
  voice.className = 'title';
  panel.append(...words, close);
  panel.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') close.click();
  });
  before?.remove();
  putInto(place, host, look.includes('inline') ? 'inline' : 'corner');
  signal.addEventListener('abort', () => host.remove());
  const timer = setInterval(() => {
    if (!isTheirs()) host.remove();
    if (!host.isConnected) clearInterval(timer);
  }, ANNOUNCE_MS);
  if (hadFocus) close.focus();
  // Live regions announce only later changes.
  setTimeout(() => {
    voice.textContent = sentence;
  }, ANNOUNCE_MS);
}

async function tell(mail: Mail, kept: KeptSubmission, code: string | undefined): Promise<void> {
  const { token, body } = kept;
  const { surveyId = '', rating, text, reasons, answers, sessionId, traceId, observationId } = body;
  const binding = sessionId ? { surveyId, showToken: token, sessionId, traceId, observationId } : undefined;
  const loaded = import('../widget/lost.ts');
  const sentence = await loaded.then(
    ({ sentenceIn }) => sentenceIn(mail.options.locale),
    () => undefined,
  );
  const userId = mail.person.id();
  // Nobody else may read the words. Changes of a rating have no `userId`.
  if (body.userId ? body.userId === userId : kept.mark === stickyHash(userId, surveyId))
    mail.emit('refused', { surveyId, rating, text, reasons, answers, binding, code, sentence });
  // Only surveys that were asked send traits. Thumbs under a message tell it in their own place.
  const isAsked = body.traits !== undefined;
  // Every survey has a place in pages that draw surveys themselves. They hear the `error`.
  if (isAsked ? mail.placeOf({ presentation: 'inline', slug: '' }) : !mail.lost) return;
  const { createLost, tellBelow } = await loaded;
  const lost = createLost(mail.options, body.text);
  if (isAsked) await show(mail, kept, lost);
  else mail.lost?.(token, tellBelow(lost));
}

/** The revision by which later answers to questions replace those that the service has from the same page. */
function revisionAfter(
  { again, body }: Submission,
  { code, details = {} }: RefusedError,
): number | undefined {
  // Ratings of messages, which send no traits, have their own revisions.
  if (!body.answers || !body.traits) return undefined;
  if (code === 'revision_conflict') return (details.revision ?? 0) + 1;
  const isStored = code === 'token_used' && details.kind !== 'dismissal' && details.by !== 'other-token';
  return again === false && isStored ? 1 : undefined;
}

export const mount: Refused['mount'] = async (mail, given, reply, send) => {
  const { storage, emit } = mail;
  const { token, body, mark } = given;
  const revision = revisionAfter(given, reply.data.error ?? {});
  if (revision) {
    await send({ token, mark, path: '/v1/sdk/revisions', body: { ...body, revision } });
    return true;
  }
  const entry = () => storage.read().outbox.find((kept) => kept.token === token);
  const others = () => storage.read().outbox.filter((kept) => kept.token !== token);
  const kept = entry();
  // Another tab has settled it.
  if (!kept) return true;
  const { code, details = {} } = reply.data.error ?? {};
  // Answers that the person starts share ids: another tab has stored its own.
  const isOthers = code === 'token_used' && details.by === 'other-token' && kept.path !== '/v1/dismissals';
  if (code === 'token_used' && !isOthers && isOwn(kept, details)) return false;
  // Only a server can renew its session-bound token.
  if (!body.sessionId && (isOthers || (code === 'token_expired' && !kept.renewed))) {
    let { data, retryMs } = await askAgain(mail, body, kept.tries);
    const listed = data.surveys?.find(({ id }) => id === body.surveyId);
    if (listed?.trigger === 'person')
      ({ data, retryMs } = await askAgain(mail, body, kept.tries, listed.slug));
    // A project that requires identity lists surveys without tokens until the page has a proof.
    const waitMs = data.surveys ? (data.showTokens ? 0 : UNPROVED_MS) : retryMs;
    // Another tab has taken over in the meantime.
    if (entry()?.at !== kept.at) return true;
    if (waitMs && Date.now() < (kept.until ?? Number.POSITIVE_INFINITY)) {
      storage.update({ outbox: [...others(), { ...kept, at: Date.now() + waitMs }] });
      return true;
    }
    // An earlier attempt, whose reply was lost, may have been stored.
    const wasTried = kept.tries > 1 && !isOthers;
    const survey = data.surveys?.find(({ id }) => id === body.surveyId);
    if (wasTried && data.suppression?.includes(`${body.surveyId}`)) return false;
    const showToken =
      wasTried && (survey?.repeat || listed?.trigger === 'person')
        ? undefined
        : data.showTokens?.[`${body.surveyId}`];
    if (showToken) {
      storage.update({ outbox: others() });
      const { path } = kept;
      await send({ token: showToken, mark, path, body: { ...body, showToken }, renewed: true });
      return true;
    }
  }
  const missing = code === 'token_mismatch' ? ATTESTED.filter((name) => !body[name]) : undefined;
  emit('error', { status: reply.status, code, missing, cause: reply.cause });
  // The submission has ended, whether or not this can be loaded.
  if (kept.path !== '/v1/dismissals') tell(mail, kept, code).catch((cause) => emit('error', { cause }));
  return false;
};
