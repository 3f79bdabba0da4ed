import { MOST_PAGES } from '../../../../../shared/domain/surveys/conditions.ts';
import { CORNERS, PRESENTATIONS } from '../../../../../shared/domain/surveys/survey.ts';
import { Section, useEditing } from '../editing.tsx';
import { ChoiceField, ListField, SelectField, TextField } from '../fields.tsx';

const LOOKS = {
  corner: {
    name: 'In a corner',
    about: 'A small box appears over the page. It does not interrupt what people are doing.',
  },
  banner: { name: 'As a banner', about: 'A strip appears along the edge of the page.' },
  inline: {
    name: 'Inside the page',
    about: 'The survey fills a slot that your developers added to the page.',
  },
} as const;
const CORNER_WORDS = {
  'bottom-right': 'Bottom right',
  'bottom-left': 'Bottom left',
  'top-right': 'Top right',
  'top-left': 'Top left',
} as const;
/** A banner fills the width, so both corners of an edge are the same. */
const EDGES = [
  ['bottom-right', 'Bottom'],
  ['top-right', 'Top'],
] as const;

export function WhereSection() {
  const { survey, change } = useEditing();
  const { presentation, corner = 'bottom-right', pages = [] } = survey;
  const edge = corner.startsWith('top') ? 'top-right' : 'bottom-right';
  const set = (next: readonly string[]): void => change({ pages: next.length === 0 ? undefined : [...next] });
  return (
    <Section id="where" title="Placement">
      <ChoiceField
        path="presentation"
        label="Where it appears"
        value={presentation}
        options={[...PRESENTATIONS].map((value) => ({ value, ...LOOKS[value] }))}
        onChoose={(value) => change({ presentation: value })}
      />
      {presentation !== 'inline' && (
        <SelectField
          path="corner"
          label={presentation === 'banner' ? 'Edge' : 'Corner'}
          value={presentation === 'banner' ? edge : corner}
          options={
            presentation === 'banner' ? EDGES : CORNERS.map((value) => [value, CORNER_WORDS[value]] as const)
          }
          onChoose={(value) => change({ corner: value })}
        />
      )}
      <ListField
        label="Pages"
        about="Enter the part of the address after your domain. /orders matches only that page, /orders/* matches pages one level below it, and /orders/** matches /orders and everything below it. Without pages, the survey can appear on every page."
        item="page"
        most={MOST_PAGES}
        rows={pages}
        draw={(page, at) => (
          <TextField
            path={`pages[${at}]`}
            label={`Page ${at + 1}`}
            isQuiet
            value={page}
            placeholder="/orders/**"
            onText={(text = '') => set(pages.map((each, place) => (place === at ? text : each)))}
          />
        )}
        onAdd={() => {
          set([...pages, '/']);
          return `pages[${pages.length}]`;
        }}
        onRemove={(at) => set(pages.filter((_, place) => place !== at))}
      />
    </Section>
  );
}
