import { useState } from 'preact/hooks';
import { MOST_SEGMENTS, SEGMENT_SOURCES } from '../../../../../shared/domain/surveys/segments.ts';
import { hasScale } from '../../../../../shared/domain/surveys/survey.ts';
import { SOURCE_WORDS } from '../../../rules/field-words.ts';
import { declaredIn, keyedRows, type SegmentRow, segmentRows } from '../../../rules/typed-values.ts';
import { Section, useEditing } from '../editing.tsx';
import { ListField, SelectField, TextField } from '../fields.tsx';

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
  return (
    <Section
      id="results-by"
      title="Results"
      about={`All responses count ${hasScale(survey.type) ? 'toward one score' : 'together'}. Add breakdowns to compare groups of people, such as those on each plan.`}
    >
      <ListField
        label="Breakdowns"
        about="List the values to compare. All other values count as “other”. A breakdown starts counting responses one minute after you publish it. Labels, task types, and channels come from your servers. Ask your developers for them."
        item="breakdown"
        most={MOST_SEGMENTS}
        nameOf={(at) => rows[at]?.name || undefined}
        rows={keyedRows(rows)}
        draw={({ key, name, from, values }, at) => (
          <>
            <TextField
              path={`segments.${key}.name`}
              label={`Name ${at + 1}`}
              value={name}
              placeholder="plan"
              onText={(text = '') => put(at, { name: text })}
            />
            <SelectField
              path={`segments.${key}.source`}
              label="Source"
              aria-label={`Source of ${name === '' ? `breakdown ${at + 1}` : name}`}
              // Existing counts belong to the stored source, so it cannot be changed.
              disabled={base?.segments?.[key] !== undefined}
              value={from}
              options={SEGMENT_SOURCES.map((source) => [source, SOURCE_WORDS[source]] as const)}
              onChoose={(source) => put(at, { from: source })}
            />
            <TextField
              path={`segments.${key}.values`}
              label={`Values ${at + 1}, separated by commas`}
              value={values}
              placeholder="free, pro, team"
              onText={(text = '') => put(at, { values: text })}
            />
          </>
        )}
        onAdd={() => {
          const next = [...rows, NEW];
          set(next);
          return `segments.${keyedRows(next).at(-1)?.key}.name`;
        }}
        onRemove={(at) => set(rows.filter((_, place) => place !== at))}
      />
    </Section>
  );
}
