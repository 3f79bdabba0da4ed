import type { ComponentChildren } from 'preact';
import type { Rated } from '../../../../../shared/domain/surveys/by-rating.ts';
import { type EntryList, putEntry, ratingNames, ratingsIn } from '../../../rules/rating-entries.ts';
import { useEditing } from '../editing.tsx';
import { ListField, useControl } from '../fields.tsx';

interface RatingsProps {
  readonly path: string;
  readonly label: string;
  readonly names: ReturnType<typeof ratingNames>;
  readonly value: readonly number[];
  /** Ratings of other entries. */
  readonly taken: readonly number[];
  readonly onRatings: (ratings: number[]) => void;
}

export function RatingsField({ path, label, names, value, taken, onRatings }: RatingsProps) {
  const { id, onBlur: touch, 'aria-describedby': about, ...control } = useControl({ path, label });
  const problem = useEditing().problemAt(path);
  const isTaken = (rating: number): boolean => taken.includes(rating) && !value.includes(rating);
  const first = names.find(([rating]) => !isTaken(rating));
  const next = (rating: number): number[] =>
    names.flatMap(([each]) => (value.includes(each) === (each !== rating) ? [each] : []));
  return (
    <fieldset
      class="field"
      aria-describedby={about}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) touch();
      }}
    >
      <legend>{label}</legend>
      <div class="ratings">
        {names.map(([rating, name]) => (
          <label key={rating}>
            <input
              type="checkbox"
              {...control}
              {...(rating === first?.[0] && { id })}
              disabled={isTaken(rating)}
              checked={value.includes(rating)}
              onChange={() => onRatings(next(rating))}
            />
            <span>{name}</span>
          </label>
        ))}
      </div>
      {problem !== undefined && (
        <p class="wrong" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface Props<Entry extends Rated> {
  readonly list: EntryList<Entry>;
  readonly field: 'followUps' | 'thanks';
  readonly label: string;
  readonly about: string;
  readonly item: string;
  readonly empty: Entry;
  readonly draw: (entry: Entry, at: number, put: (entry: Entry) => void) => ComponentChildren;
}

/** A list of texts by rating. Each rating can be selected once. */
export function ByRating<Entry extends Rated>({ list, field, empty, draw, ...props }: Props<Entry>) {
  const { survey, change } = useEditing();
  const rows = list.of(survey);
  const names = ratingNames(survey).filter(([rating]) => list.fits(survey.type, rating));
  const selected = ratingsIn(rows);
  const put = (at: number, entry?: Entry): void => change(putEntry(list, survey, at, entry));
  return (
    <ListField
      {...props}
      rows={rows}
      {...(names.every(([rating]) => selected.includes(rating)) && { most: rows.length })}
      draw={(entry, at) => (
        <>
          <RatingsField
            path={`${field}[${at}].ratings`}
            label={`Ratings for ${props.item} ${at + 1}`}
            names={names}
            value={entry.ratings ?? []}
            taken={selected}
            onRatings={(ratings) => put(at, { ...entry, ratings })}
          />
          {draw(entry, at, (next) => put(at, next))}
        </>
      )}
      onAdd={() => {
        put(rows.length, empty);
        return `${field}[${rows.length}].ratings`;
      }}
      onRemove={(at) => put(at)}
    />
  );
}
