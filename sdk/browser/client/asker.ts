import type { AnswerDetail, Ask } from './ask.ts';
import type { Kit } from './kit.ts';
import type { Asker, Client, Current, Present } from './modules.ts';
import type { Outbox } from './outbox.ts';
import type { LocalisedSurvey, Survey } from './survey.ts';
import { DRAFT_MS, ONCE } from './times.ts';

/**
 * Limits traits so that they fit into a beacon with the answer: scalars first, then lists and objects as JSON text. The
 * service has its own limits (docs/contract.md §9.1).
 */
function fitting(traits: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept: Record<string, unknown> = {};
  for (const nested of [false, true]) {
    for (const name of Object.keys(traits)) {
      try {
        const json = JSON.stringify(traits[name]);
        if (/^[[{]/.test(json) === nested) kept[name] = nested ? json : traits[name];
        if (JSON.stringify(kept).length > 4_096) delete kept[name];
      } catch {
        // The value is a function, a cycle, or has a getter that throws.
      }
    }
  }
  return kept;
}

export function openAsk(client: Client, current: Current, survey: LocalisedSurvey, put: Outbox['put']): Ask {
  const { options, person, emit, isOpen, endAsk, post, eligibility } = client;
  const { bound } = current;
  // Only the server knows whom a bound token identifies.
  const identityKind = person.name ? 'identified' : bound ? undefined : 'anon-device';
  const { showTokens, impressions } = eligibility.reply();
  const { slug: _, showToken = showTokens?.[survey.id] ?? '', ...session } = bound ?? {};
  const ours = { key: options.key, showToken, surveyId: survey.id, userId: person.id(), ...session };
  const mark = eligibility.markOf(survey);
  const traits = fitting(person.traits);
  let reported = !showToken || impressions === false;
  let draft: Parameters<Ask['answer']> | undefined;

  const say = (path: string, more: Record<string, unknown> & Pick<AnswerDetail, 'answers'>, holdMs = 0) =>
    put({ token: showToken, mark, path, body: { ...ours, ...more }, again: draft && !more.answers }, holdMs);
  const respond = (holdMs: number, rating: number, detail?: AnswerDetail) => {
    current.rated = rating;
    say('/v1/sdk/responses', { identityKind, traits, ...detail, rating }, holdMs);
  };

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

/** @param presentOf draws a survey; without it, the page draws surveys */
export function askerOf(
  client: Client,
  { createOutbox, spoken }: Pick<Kit, 'createOutbox' | 'spoken'>,
  presentOf?: (survey: Survey) => Promise<Present>,
): Asker {
  const { options, emit, signal, isOpen } = client;
  const { put, flush } = createOutbox(client);

  return {
    flush,
    async open(current) {
      const present = await presentOf?.(current.survey);
      const survey = await spoken(current.survey, options, current);
      if (!isOpen(current)) return;
      const ask = openAsk(client, current, survey, put);
      current.ask = ask;
      emit('ask', ask);
      if (!present) return;
      current.view = await present(ask, current.place, options, signal);
      if (!isOpen(current)) return current.view.remove();
      emit('shown', { survey });
    },
  };
}
