import type { Ask } from './ask.ts';
import type { Outbox } from './outbox.ts';
import type { Client, Current } from './parts.ts';
import { ONCE } from './post.ts';
import type { LocalisedSurvey } from './texts.ts';
import { DRAFT_MS } from './times.ts';
import { fitting } from './traits.ts';

/** @param put of the outbox that takes what the person says */
export function openAsk(client: Client, current: Current, survey: LocalisedSurvey, put: Outbox['put']): Ask {
  const { options, person, emit, isOpen, endAsk, post, offers } = client;
  const { bound } = current;
  // Of a bound token's respondent only the server knows what it is.
  const identityKind = person.name ? 'identified' : bound ? undefined : 'anon-device';
  const { showTokens, impressions } = offers.told();
  const { slug: _, showToken = showTokens?.[survey.id] ?? '', ...session } = bound ?? {};
  const ours = { key: options.key, showToken, surveyId: survey.id, userId: person.id(), ...session };
  const mark = offers.markOf(survey);
  const traits = fitting(person.traits);
  let reported = !showToken || impressions === false;
  let draft: Parameters<Ask['answer']> | undefined;

  const say = (path: string, more: object, holdMs = 0) =>
    put({ token: showToken, mark, path, body: { ...ours, ...more } }, holdMs, !!draft);
  const respond = (holdMs: number, ...[rating, detail]: Parameters<Ask['answer']>) =>
    say('/v1/sdk/responses', { identityKind, traits, ...detail, rating }, holdMs);

  return {
    survey,
    get drafted() {
      return !!draft;
    },
    anonymous: identityKind === 'anon-device',
    shown() {
      if (reported || !isOpen(current)) return;
      reported = true;
      void post('/v1/impressions', ours, ONCE);
    },
    draft(...given) {
      if (!isOpen(current)) return;
      respond(DRAFT_MS, ...given);
      draft = given;
    },
    answer(...given) {
      if (!isOpen(current)) return;
      respond(0, ...given);
      endAsk(current);
      emit('answered', { survey, rating: given[0] });
    },
    dismiss() {
      if (draft) return this.answer(...draft);
      if (!isOpen(current)) return;
      say('/v1/dismissals', {});
      endAsk(current);
      emit('dismissed', { survey });
    },
  };
}
