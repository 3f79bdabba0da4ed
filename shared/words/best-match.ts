/**
 * Reads the longest valid start of a tag (BCP 47 §4.5), with the likeliest script and region. Pages write tags such as
 * `de_DE.UTF-8`, and `iw` for `he`.
 */
export function localeOf(tag: string): Intl.Locale | undefined {
  for (let part = tag.replace(/_/g, '-'); part; part = part.replace(/\W*\w*$/, ''))
    try {
      return new Intl.Locale(part.replace(/^n[no]\b/i, 'nb')).maximize();
    } catch {}
  return undefined;
}

/** The tag's own region, and the likeliest one of its language and script. */
function regionsOf(tag: string): string[] {
  const locale = localeOf(tag);
  if (!locale) return [tag];
  const { language, script, region } = locale;
  return [region, localeOf(`${language}-${script}`)?.region].map((each) => language + script + each);
}

/** `pt-BR` matches `pt-BR`, or else `pt`, but never a name in another script: `zh-TW` does not match `zh`. */
export function bestMatch(names: readonly string[], language: string): string | undefined {
  const tag = language.replace(/_/g, '-').toLowerCase();
  const rank = (name: string) => (tag.startsWith(name.toLowerCase()) ? -name.length : name.length);
  return regionsOf(tag).flatMap((wanted) =>
    names.filter((name) => regionsOf(name)[0] === wanted).sort((a, b) => rank(a) - rank(b)),
  )[0];
}
