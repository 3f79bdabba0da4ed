/** By what results are told apart, besides the whole: traits, labels, task types and channels, and which values of them. */

import { useState } from 'preact/hooks';
import { MOST_SEGMENTS, SEGMENT_SOURCES } from '../../../../../shared/domain/surveys/segments.ts';
import { SOURCE_WORDS } from '../../../rules/field-words.ts';
import { declaredIn, keyedRows, type SegmentRow, segmentRows } from '../../../rules/segment-rows.ts';
import { focusOn, idOf, Section, useEditing } from '../editing.tsx';
import { TextField } from '../fields.tsx';

const ADD_ID = 'add-segment';
const NEW: SegmentRow = { name: '', from: 'trait', values: '' };

export function ResultsBySection() {
  const { survey, base, change } = useEditing();
  const [rows, setRows] = useState(() => segmentRows(survey.segments));
  const set = (next: readonly SegmentRow[]): void => {
    setRows([...next]);
    change({ segments: declaredIn(next) });
  };
  const put = (at: number, part: Partial<SegmentRow>): void =>
    set(rows.map((row, place) => (place === at ? { ...row, ...part } : row)));
  const pick = (at: number, name: string): void => {
    const from = SEGMENT_SOURCES.find((each) => each === name);
    if (from !== undefined) put(at, { from });
  };
  return (
    <Section
      id="results-by"
      title="Results"
      about="All responses count toward one score. Add breakdowns to compare groups, such as plans."
    >
      <fieldset class="field list segments">
        <legend>Break down by</legend>
        <p class="about">
          List the values to compare. All other values count as “other”. A breakdown starts to count responses
          one minute after you publish it. Labels, task types, and channels come from your servers. Ask your
          developers for them.
        </p>
        <ol>
          {keyedRows(rows).map(({ key, name, from, values }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the name is what is being typed
            <li key={at}>
              <TextField
                path={`segments.${key}.name`}
                label={`Name ${at + 1}`}
                value={name}
                placeholder="plan"
                onText={(text = '') => put(at, { name: text })}
              />
              <div class="field">
                <label for={`segment-source-${at}`}>Source</label>
                <span class="select">
                  <select
                    id={`segment-source-${at}`}
                    aria-label={`Source of ${name === '' ? `breakdown ${at + 1}` : name}`}
                    // What was counted is of the source that it had.
                    disabled={base?.segments?.[key] !== undefined}
                    value={from}
                    onChange={({ currentTarget }) => pick(at, currentTarget.value)}
                  >
                    {SEGMENT_SOURCES.map((source) => (
                      <option key={source} value={source}>
                        {SOURCE_WORDS[source]}
                      </option>
                    ))}
                  </select>
                </span>
              </div>
              <TextField
                path={`segments.${key}.values`}
                label={`Values ${at + 1}, separated by commas`}
                value={values}
                placeholder="free, pro, team"
                onText={(text = '') => put(at, { values: text })}
              />
              <button
                type="button"
                class="quiet"
                aria-label={`Remove breakdown ${name === '' ? at + 1 : name}`}
                onClick={() => {
                  set(rows.filter((_, place) => place !== at));
                  focusOn(ADD_ID);
                }}
              >
                Remove
              </button>
            </li>
          ))}
        </ol>
        {rows.length < MOST_SEGMENTS && (
          <button
            type="button"
            id={ADD_ID}
            onClick={() => {
              const next = [...rows, NEW];
              set(next);
              focusOn(idOf(`segments.${keyedRows(next).at(-1)?.key}.name`));
            }}
          >
            Add a breakdown
          </button>
        )}
      </fieldset>
    </Section>
  );
}
