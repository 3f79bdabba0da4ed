import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { definitionOf, type SurveyDefinition, TYPES } from '../../../../shared/domain/surveys/survey.ts';
import type { WrittenSurvey } from '../../../../shared/domain/surveys/written-survey.ts';
import { isSaid, type Show, type Step } from '../../frame/messages.ts';
import { languageName, WIDGET_LANGUAGES } from '../../rules/field-words.ts';
import { ratingNames } from '../../rules/rating-entries.ts';
import { Problem } from '../shell/notice.tsx';
import { Select } from './fields.tsx';

/** Defined by the build. */
declare const PREVIEW_FILE: string;

/** Window sizes in CSS pixels. */
const DEVICES = {
  desktop: { name: 'Desktop', width: 960, height: 620 },
  wide: { name: 'Desktop', width: 1_280, height: 620 },
  phone: { name: 'Phone', width: 375, height: 667 },
} as const;
type Device = 'desktop' | 'phone';

/** A loaded frame reports that it is ready. An error page never does. */
const READY_MS = 3_000;

const STEP_WORDS: Readonly<Record<Step, string>> = {
  question: 'Question',
  followUp: 'Follow-up',
  thanks: 'Thank-you',
};
const { followUp: _, ...OPEN_STEP_WORDS } = STEP_WORDS;
const THEMES = { light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof THEMES;

const isKeyOf = <Names extends object>(names: Names, name: string): name is Names & string & keyof Names =>
  name in names;

interface PickProps<Name extends string> {
  readonly label: string;
  readonly names: Readonly<Partial<Record<Name, string>>>;
  readonly value: Name;
  readonly onPick: (name: Name) => void;
}

function Pick<Name extends string>({ label, names, value, onPick }: PickProps<Name>) {
  return (
    <fieldset class="choices">
      <legend>{label}</legend>
      {Object.entries(names).map(([name, words]) => (
        <label key={name}>
          <input
            type="radio"
            name={`preview-${label}`}
            checked={name === value}
            onChange={() => isKeyOf(names, name) && onPick(name)}
          />
          <span>{String(words)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The survey's own texts count as English. */
function languagesOf({ locales = {} }: WrittenSurvey) {
  const own = [...new Set(['en', ...Object.keys(locales)])];
  return { own, others: WIDGET_LANGUAGES.filter((tag) => !own.includes(tag)) };
}

function Languages({ tags }: { readonly tags: readonly string[] }) {
  return (
    <>
      {tags.map((tag) => (
        <option key={tag} value={tag}>
          {languageName(tag)}
        </option>
      ))}
    </>
  );
}

/** Height of the area around the preview, in CSS pixels. */
const AROUND = 240;
const AROUND_ON_PHONES = 330;
const SMALLEST = 0.4;

function useScale(width: number, height: number) {
  const box = useRef<HTMLDivElement>(null);
  const [scale, setScale] = useState(1);
  useEffect(() => {
    const { current } = box;
    if (current === null) return;
    const fit = () => {
      const around = matchMedia('(width < 64rem)').matches ? AROUND_ON_PHONES : AROUND;
      const room = Math.max(SMALLEST, (innerHeight - around) / height);
      setScale(Math.min(1, current.clientWidth / width, room));
    };
    const observer = new ResizeObserver(fit);
    observer.observe(current);
    addEventListener('resize', fit);
    return () => {
      observer.disconnect();
      removeEventListener('resize', fit);
    };
  }, [width, height]);
  return { box, scale };
}

export function Preview({ survey }: { readonly survey: WrittenSurvey }) {
  const [step, setStep] = useState<Step>('question');
  const [rated, setRating] = useState<number>();
  const { min, max } = TYPES[survey.type].scale;
  const isByRating =
    survey.followUps !== undefined ||
    Array.isArray(survey.thanks) ||
    survey.questions?.some(({ ratings }) => ratings !== undefined) === true;
  const rating = isByRating ? Math.max(min, Math.min(rated ?? min, max)) : undefined;
  const [device, setDevice] = useState<Device>(() =>
    matchMedia('(width < 48rem)').matches ? 'phone' : 'desktop',
  );
  const [theme, setTheme] = useState<Theme>(() =>
    matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
  );
  const [language, setLanguage] = useState('en');
  const [isReady, setReady] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const [isGone, setGone] = useState(false);
  const { own, others } = languagesOf(survey);
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = useMemo(() => definitionOf({ id: 'preview', content: survey }), [survey]);
  // A banner is one line on pages wider than 1,200 pixels (sdk/browser/widget/looks.css).
  const isWide = device === 'desktop' && survey.presentation === 'banner';
  const { width, height } = DEVICES[isWide ? 'wide' : device];
  const { box, scale } = useScale(width, height);
  /** The last message to the frame, updated with the steps that the frame reports. */
  const known = useRef<Show<SurveyDefinition> | undefined>(undefined);

  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<unknown>): void => {
      if (source !== frame.current?.contentWindow || !isSaid(data)) return;
      if (data.type === 'ready') setReady(true);
      else {
        const { step: now, rating: chosen } = data;
        if (known.current !== undefined) known.current = { ...known.current, step: now, rating: chosen };
        setStep(now);
        setRating(chosen);
      }
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);

  useEffect(() => {
    if (!isLoaded || isReady) return setGone(false);
    const timer = setTimeout(() => setGone(true), READY_MS);
    return () => clearTimeout(timer);
  }, [isLoaded, isReady]);

  useEffect(() => {
    const { current: last } = known;
    const isThere =
      last?.survey === shown &&
      last.language === language &&
      last.theme === theme &&
      last.step === step &&
      last.rating === rating;
    if (!isReady || isThere) return;
    const show: Show<SurveyDefinition> = { type: 'show', survey: shown, language, theme, step, rating };
    known.current = show;
    // The frame's origin is opaque, so the target origin cannot be named.
    frame.current?.contentWindow?.postMessage(show, '*');
  }, [isReady, shown, language, theme, step, rating]);

  return (
    <section class="preview" aria-labelledby="preview-title">
      <h2 id="preview-title" class="unseen">
        Preview
      </h2>
      {isGone && (
        <Problem
          words="The preview cannot load because the console has been updated since you opened this tab. Reload the page. Your changes stay in this tab until you close it."
          action={{ words: 'Reload', run: () => location.reload() }}
        />
      )}
      <div class="tools">
        <Pick
          label="Step"
          names={survey.type === 'open' ? OPEN_STEP_WORDS : STEP_WORDS}
          value={step}
          onPick={setStep}
        />
        {rating !== undefined && (
          <Select
            aria-label="Rating in the preview"
            value={String(rating)}
            options={ratingNames(survey).map(([each, name]) => [`${each}`, `Rating: ${name}`])}
            onChoose={(chosen) => setRating(Number(chosen))}
          />
        )}
        <Pick
          label="Device"
          names={{ desktop: DEVICES.desktop.name, phone: DEVICES.phone.name }}
          value={device}
          onPick={setDevice}
        />
        <Pick label="Colors" names={THEMES} value={theme} onPick={setTheme} />
        <span class="select">
          <select
            aria-label="Language of the preview"
            value={language}
            onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
          >
            <Languages tags={own} />
            <optgroup label="Languages without a translation">
              <Languages tags={others} />
            </optgroup>
          </select>
        </span>
      </div>
      <div class={`stage ${device}`} ref={box} style={{ height: `${Math.round(height * scale)}px` }}>
        <iframe
          ref={frame}
          title="Preview of the survey"
          sandbox="allow-scripts"
          onLoad={() => setLoaded(true)}
          src={`/console/assets/${PREVIEW_FILE}`}
          style={{
            width: `${width}px`,
            height: `${height}px`,
            marginInlineStart: `${-width / 2}px`,
            transform: `scale(${scale})`,
          }}
        />
      </div>
    </section>
  );
}
