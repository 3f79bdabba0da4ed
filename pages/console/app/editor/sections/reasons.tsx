/** Reasons for a low rating, to be ticked beside the follow-up question. */

import { MOST_REASONS } from '../../../../../shared/domain/surveys/reasons.ts';
import type { SurveyReason } from '../../../../../shared/domain/surveys/survey.ts';
import { focusOn, idOf, useEditing } from '../editing.tsx';
import { TextField } from '../fields.tsx';

const ADD_ID = 'add-reason';

/** By which answers are counted: it stays when the label is put better. */
function codeFor(label: string, others: readonly SurveyReason[]): string {
  const plain = label
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 28);
  const wanted = plain === '' ? 'reason' : plain;
  const isTaken = (code: string) => others.some((other) => other.code === code);
  let code = wanted;
  for (let count = 2; isTaken(code) || code in {}; count++) code = `${wanted}-${count}`;
  return code;
}

export function Reasons() {
  const { survey, base, change } = useEditing();
  const { reasons = [], locales = {} } = survey;
  /** @param codeOf what became of a code; what is translated of a reason goes where it goes */
  const set = (next: readonly SurveyReason[], codeOf = (code: string) => code): void => {
    const codes = new Set(next.map(({ code }) => code));
    const translated = Object.entries(locales).map(([tag, { reasons: labels = {}, ...others }]) => {
      const kept = Object.entries(labels)
        .map(([code, label]) => [codeOf(code), label] as const)
        .filter(([code]) => codes.has(code));
      return [tag, { ...others, ...(kept.length > 0 && { reasons: Object.fromEntries(kept) }) }] as const;
    });
    change({
      reasons: [...next],
      ...(translated.length > 0 && { locales: Object.fromEntries(translated) }),
    });
  };
  const rename = (at: number, label = ''): void => {
    const before = reasons[at]?.code ?? '';
    const others = reasons.filter((_, place) => place !== at);
    // One that nobody can have chosen yet still follows its label.
    const isStored = base?.reasons?.some(({ code }) => code === before) ?? false;
    const code = isStored ? before : codeFor(label, others);
    set(
      reasons.map((reason, place) => (place === at ? { code, label } : reason)),
      (known) => (known === before ? code : known),
    );
  };
  return (
    <fieldset class="field list">
      <legend>Reasons</legend>
      <p class="about">
        People who give a low rating can select any number of reasons. Results count them, so you see what is
        behind a low score.
      </p>
      <ol>
        {reasons.map((reason, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the code changes while its label is first typed
          <li key={at}>
            <TextField
              path={`reasons[${at}].label`}
              label={`Reason ${at + 1}`}
              isQuiet
              value={reason.label}
              onText={(label) => rename(at, label)}
            />
            <button
              type="button"
              class="quiet"
              aria-label={`Remove reason ${at + 1}`}
              onClick={() => {
                set(reasons.filter((_, place) => place !== at));
                focusOn(ADD_ID);
              }}
            >
              Remove
            </button>
          </li>
        ))}
      </ol>
      {reasons.length < MOST_REASONS && (
        <button
          type="button"
          id={ADD_ID}
          onClick={() => {
            set([...reasons, { code: codeFor('', reasons), label: '' }]);
            focusOn(idOf(`reasons[${reasons.length}].label`));
          }}
        >
          Add a reason
        </button>
      )}
    </fieldset>
  );
}
