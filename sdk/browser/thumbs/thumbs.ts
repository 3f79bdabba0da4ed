import type { Client } from '../client/modules.ts';
import type { Binding } from '../client/survey.ts';
import { createControl, ENGLISH } from './control.ts';
import { messagesOf } from './messages.ts';

/**
 * A second click on the same thumb withdraws the rating. A rated message needs no token, because this device keeps it.
 */
export async function mount(
  client: Client,
  bound: Binding | undefined,
  place: Element,
  owner: string,
): Promise<void> {
  if (!bound) return;
  const { options, emit, signal, load } = client;
  const slug = bound.slug ?? bound.surveyId;
  // A page may, for example, pass all minted bindings instead of one.
  if (!slug) return emit('error', { missing: ['surveyId'] });
  const { kit } = await load('kit');
  const { list, messageOf, hear } = messagesOf(client, kit.createOutbox);
  const listed = await list();
  const found = listed?.find(({ id, slug }) => id === bound.surveyId || slug === bound.slug);
  if (!listed || signal.aborted) return;
  if (found?.type !== 'thumbs')
    return emit('notshown', { slug, reason: found ? 'not-thumbs' : 'unknown-slug' });
  const survey = await kit.spoken(found, options);
  const message = messageOf(survey, bound, owner);
  const { binding, latest, say } = message;
  if (!latest() && !binding.showToken) return emit('notshown', { slug, reason: 'no-token' });
  if (!binding.sessionId) return emit('error', { missing: ['sessionId'] });

  const chosen = () => latest()?.rating;
  const control = await createControl(kit, survey, options, ENGLISH, (rating) => {
    // The token belongs to the person who was signed in before.
    if (!message.isTheirs()) return host.remove();
    control.endMore();
    const isTakenBack = chosen() === rating;
    say(isTakenBack ? undefined : rating);
    show();
    if (isTakenBack) emit('withdrawn', { survey, binding });
    else emit('answered', { survey, rating, binding });
    const { followUpQuestion, reasons } = survey;
    if (rating || isTakenBack || !(followUpQuestion || reasons)) return control.say();
    control.say(followUpQuestion);
    const isDown = () => chosen() === 0;
    void control.askMore(
      (detail) => {
        if (!message.isTheirs()) return host.remove();
        if (!(detail?.text || detail?.reasons) || !isDown()) return control.say();
        say(0, detail);
        emit('answered', { survey, rating, binding });
        control.say(control.words.thanks, 'said');
      },
      // Reasons are stored even if nobody presses Send.
      (detail) => isDown() && say(0, detail),
    );
  });
  const { host } = control;
  const show = () => control.press(chosen());

  for (const before of place.querySelectorAll(':scope>canvass-survey')) before.remove();
  if (signal.aborted || !message.isTheirs()) return;
  place.append(host);
  hear((showToken = binding.showToken, lost) => {
    if (signal.aborted) host.remove();
    if (showToken !== binding.showToken) return true;
    show();
    lost?.(control);
    return host.isConnected;
  });
  show();
  // An earlier page may have left unsent ratings.
  message.resume();
}
