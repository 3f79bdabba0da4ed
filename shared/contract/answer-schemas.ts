/** The shape of answers in requests, replies and events. */

import * as z from 'zod/mini';
import {
  ANSWER_FIELDS,
  type FieldName,
  type FieldsIn,
  fieldsIn,
  pickFields,
} from '../domain/answers/answer-fields.ts';
import { described } from './errors.ts';
import {
  channel,
  contact,
  givenAnswers,
  givenReasons,
  identityKind,
  labels,
  orDropped,
  rating,
  reasons,
  sentAnswers,
  sentTraits,
  taskType,
  text,
  traits,
} from './fields.ts';

type SentUse = 'server' | 'revision' | 'form';
type ShownUse = 'export' | 'comments' | 'scores' | 'events' | 'eventTexts';
type Schemas<Name extends FieldName> = Readonly<Record<Name, z.ZodMiniType>>;

const carried = <Schema extends z.ZodMiniType>(schema: Schema) => z.exactOptional(orDropped(schema));

const sent = () =>
  ({
    rating: rating(),
    text: carried(text()),
    followUpRequested: carried(z.boolean()),
    contact: carried(contact()),
    reasons: carried(reasons()),
    answers: carried(sentAnswers()),
    traits: carried(sentTraits()),
    identityKind: carried(identityKind()),
    taskType: carried(taskType()),
    channel: carried(
      described(
        channel(),
        'The channel through which your server received the answer, such as `slack`. Requires a secret key; otherwise it is dropped.',
      ),
    ),
  }) satisfies Schemas<FieldsIn<SentUse>>;

const shown = () =>
  ({
    rating: z.int(),
    text: z.nullable(z.string()),
    followUpRequested: z.nullable(z.boolean()),
    contact: z.nullable(z.string()),
    reasons: z.nullable(givenReasons()),
    answers: z.nullable(givenAnswers()),
    traits: z.nullable(traits()),
    identityKind: z.nullable(identityKind()),
    taskType: z.nullable(z.string()),
    labels: z.nullable(labels()),
    channel: z.nullable(channel()),
  }) satisfies Schemas<FieldsIn<ShownUse>>;

type Shown = ReturnType<typeof shown>;

export const sentFields = <Use extends SentUse>(use: Use) => pickFields(fieldsIn(use), sent());
export const shownFields = <Use extends ShownUse>(use: Use) => pickFields(fieldsIn(use), shown());

/** Every removed field is null. */
export function withdrawnFields<Use extends ShownUse>(
  use: Use,
): { [Name in FieldsIn<Use>]: Name extends FieldsIn<'removed'> ? z.ZodMiniNull : Shown[Name] };
export function withdrawnFields(use: ShownUse): object {
  const schemas = fieldsIn(use).map((name) => {
    const [fate] = ANSWER_FIELDS[name].stored;
    return [name, fate === 'removed' ? z.null() : shown()[name]];
  });
  return Object.fromEntries(schemas);
}
