import type { Eligibility } from './eligibility.ts';
import type { Reason } from './events.ts';
import { createIdleWait } from './idle-wait.ts';
import type { Client } from './modules.ts';
import type { Survey } from './survey.ts';

/**
 * @param prepare awaited before each decision
 * @param refusal why this person may not be asked
 * @param ask returns whether the survey is being asked
 * @returns decides what to ask: the survey `slug`, or a due `auto` survey
 */
export function createChooser(
  { options, emit, signal }: Pick<Client, 'options' | 'emit' | 'signal'>,
  eligibility: Eligibility,
  prepare: () => unknown,
  refusal: (survey: Survey) => Reason | undefined,
  ask: (survey: Survey) => unknown,
): (slug?: string) => void {
  let wanted: string | undefined;
  let turn = {};

  const askInTurn = ([first, ...others]: Survey[]): void => {
    if (first) idleWait(eligibility.dueIn(first), () => ask(first) || askInTurn(others));
  };

  const decide = async (mine: object): Promise<void> => {
    // Lets the caller's synchronous code finish first.
    await prepare();
    if (mine !== turn) return;
    idleWait();
    const reply = await eligibility.fetch();
    if (!reply || mine !== turn) return;
    const slug = wanted;
    wanted = undefined;
    const { status, data, cause } = reply;
    const { surveys } = data;
    if (!surveys) {
      emit('error', { status, code: data.error?.code, cause });
      return eligibility.forget();
    }
    const named = surveys.find((survey) => survey.slug === slug);
    // A modal dialog or full screen would cover the survey and make it inert.
    if (named && slug && document.querySelector(':modal')) {
      emit('notshown', { slug, reason: 'not-due' });
      wanted = slug;
      return idleWait(0, consider);
    }
    if (named ? ask(named) : slug && emit('notshown', { slug, reason: 'unknown-slug' })) return;
    askInTurn(
      surveys.filter((survey) => {
        if (survey.trigger !== 'auto') return false;
        const reason = refusal(survey);
        emit('notshown', { slug: survey.slug, reason: reason ?? 'not-due' });
        return !reason && eligibility.dueIn(survey) !== Number.POSITIVE_INFINITY;
      }),
    );
  };

  const consider = (slug = wanted) => {
    wanted = slug;
    turn = {};
    if (signal.aborted) idleWait();
    else decide(turn).catch((cause) => emit('error', { cause }));
  };
  const idleWait = createIdleWait(options.idleMs ?? 2_000, () => consider(), signal);
  return consider;
}
