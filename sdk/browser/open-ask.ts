import type { Ask } from './ask.ts';
import type { Client, Current } from './options.ts';
import type { Outbox } from './outbox.ts';
import { languageOf, localise } from './texts.ts';
import { DRAFT_MS } from './times.ts';
import { fitting } from './traits.ts';

/** @param put of the outbox that takes what the person says */
export function openAsk(client: Client, current: Current, put: Outbox['put']): Ask {
  const { options, person, emit, isOpen, close } = client;
  const { binding, mark } = current;
  const survey = localise(current.survey, languageOf(options.locale));
  // Of a bound token's respondent only the server knows what it is.
  const identityKind = person.name ? 'identified' : binding ? undefined : 'anon-device';
  const { slug: _, showToken: token = current.token ?? '', ...session } = binding ?? {};
  const ours = { key: options.key, showToken: token, surveyId: survey.id, userId: person.id(), ...session };
  const traits = fitting(person.traits);
  let draft: Parameters<Ask['answer']> | undefined;

  const respond = (holdMs: number, ...[rating, detail]: Parameters<Ask['answer']>) => {
    const body = { ...ours, identityKind, traits, ...detail, rating };
    put({ token, mark, path: '/v1/sdk/responses', body }, holdMs, draft !== undefined);
  };

  return {
    survey,
    get drafted() {
      return draft !== undefined;
    },
    anonymous: identityKind === 'anon-device',
    draft(...given) {
      if (!isOpen(current)) return;
      respond(DRAFT_MS, ...given);
      draft = given;
    },
    answer(...given) {
      if (!isOpen(current)) return;
      respond(0, ...given);
      close(current);
      emit('answered', { survey, rating: given[0] });
    },
    dismiss() {
      if (draft) return this.answer(...draft);
      if (!isOpen(current)) return;
      put({ token, mark, path: '/v1/dismissals', body: ours }, 0, false);
      close(current);
      emit('dismissed', { survey });
    },
  };
}
