/** The texts of a survey, and beside them those of one language. */

import type { SurveyTexts } from '../../../../../shared/domain/surveys/survey.ts';
import { languageName } from '../../../rules/field-words.ts';
import { spreadWords, typedWords } from '../../../rules/typed-values.ts';
import { useEditing } from '../editing.tsx';
import { TextField } from '../fields.tsx';
import { thanksWith, WORDS } from './thanks.tsx';

interface RowProps {
  readonly path: string;
  readonly tag: string;
  /** What it is called. */
  readonly name: string;
  /** As the survey says it. */
  readonly own: string;
  readonly value: string | undefined;
  readonly onText: (text: string | undefined) => void;
  readonly isLong?: boolean;
}

function Row({ path, tag, name, own, ...field }: RowProps) {
  return (
    <div class="translated">
      <div>
        <p class="about">{name}</p>
        <p dir="auto">{own}</p>
      </div>
      <TextField
        path={`locales.${tag}.${path}`}
        label={`${name}, ${languageName(tag)}`}
        language={tag}
        {...field}
      />
    </div>
  );
}

interface TranslationProps {
  readonly tag: string;
  readonly texts: SurveyTexts;
  readonly onChange: (texts: SurveyTexts) => void;
}

export function Translation({ tag, texts, onChange }: TranslationProps) {
  const { type, question, followUpQuestion, endLabels, reasons = [], thanks, words } = useEditing().survey;
  const set = (patch: SurveyTexts): void => onChange({ ...texts, ...patch });
  const setEnd = (side: 'low' | 'high', text = ''): void => {
    const { endLabels: ends, ...others } = texts;
    const next = { low: ends?.low ?? '', high: ends?.high ?? '', [side]: text };
    onChange(next.low === '' && next.high === '' ? others : { ...others, endLabels: next });
  };
  const setReason = (code: string, label: string | undefined): void => {
    const { [code]: _, ...kept } = texts.reasons ?? {};
    set({ reasons: { ...kept, ...(label !== undefined && { [code]: label }) } });
  };
  const setThanks = (part: Parameters<typeof thanksWith>[1]): void => {
    const { thanks: _, ...others } = texts;
    const next = thanksWith(texts.thanks, part);
    onChange({ ...others, ...(next !== undefined && { thanks: next }) });
  };
  const setWord = (name: (typeof WORDS)[number][0], text: string | undefined): void => {
    const { [name]: _, ...others } = texts.words ?? {};
    set({ words: { ...others, ...(text !== undefined && { [name]: text }) } });
  };
  const setAnswer = (at: number, text = ''): void => {
    const { values, ...others } = texts.words ?? {};
    const next = typedWords(type, values, at, text);
    set({ words: { ...others, ...(next !== undefined && { values: next }) } });
  };
  const own = words?.values === undefined ? [] : spreadWords(type, words.values);
  return (
    <div class="translation">
      <Row
        {...{ path: 'question', tag, name: 'Question', own: question, isLong: true }}
        value={texts.question}
        onText={(text) => set({ question: text })}
      />
      {followUpQuestion !== undefined && (
        <Row
          {...{
            path: 'followUpQuestion',
            tag,
            name: 'Follow-up question',
            own: followUpQuestion,
            isLong: true,
          }}
          value={texts.followUpQuestion}
          onText={(text) => set({ followUpQuestion: text })}
        />
      )}
      {endLabels !== undefined && (
        <>
          <Row
            {...{ path: 'endLabels.low', tag, name: 'Label at the low end', own: endLabels.low }}
            value={texts.endLabels?.low}
            onText={(text) => setEnd('low', text)}
          />
          <Row
            {...{ path: 'endLabels.high', tag, name: 'Label at the high end', own: endLabels.high }}
            value={texts.endLabels?.high}
            onText={(text) => setEnd('high', text)}
          />
        </>
      )}
      {reasons.map(({ code, label }, at) => (
        <Row
          key={code}
          {...{ path: `reasons.${code}`, tag, name: `Reason ${at + 1}`, own: label }}
          value={texts.reasons?.[code]}
          onText={(text) => setReason(code, text)}
        />
      ))}
      {thanks !== undefined && (
        <Row
          {...{ path: 'thanks.text', tag, name: 'Thanks', own: thanks.text, isLong: true }}
          value={texts.thanks?.text}
          onText={(text = '') => setThanks({ text })}
        />
      )}
      {thanks?.link !== undefined && (
        <>
          <Row
            {...{ path: 'thanks.link.label', tag, name: 'Link text', own: thanks.link.label }}
            value={texts.thanks?.link?.label}
            onText={(label = '') => setThanks({ label })}
          />
          <Row
            {...{ path: 'thanks.link.url', tag, name: 'Link address', own: thanks.link.url }}
            value={texts.thanks?.link?.url}
            onText={(url = '') => setThanks({ url })}
          />
        </>
      )}
      {own.map((text, at) => (
        <Row
          // biome-ignore lint/suspicious/noArrayIndexKey: an answer is its place
          key={at}
          {...{ path: `words.values[${at}]`, tag, name: `Answer ${at + 1}`, own: text }}
          value={spreadWords(type, texts.words?.values)[at]}
          onText={(next) => setAnswer(at, next)}
        />
      ))}
      {WORDS.map(([name, label]) => {
        const word = words?.[name];
        return (
          word !== undefined && (
            <Row
              key={name}
              {...{ path: `words.${name}`, tag, name: label, own: word }}
              value={texts.words?.[name]}
              onText={(text) => setWord(name, text)}
            />
          )
        );
      })}
    </div>
  );
}
