import { languageName } from "#theme";
import type { TemplateProps } from "#theme";

/** Widths of the window, in rem, from which the style sheet can show the links in the header. */
const STEPS = [48, 56, 64, 72, 80, 88] as const;
/** Mean width of a letter, of full-width ones, and the space around a link, in rem. */
const LETTER = 0.52;
const FULL_WIDTH = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;
const LINK_SPACE = 1.65;
/** Mark, search, colour switch, and the space around and between them. */
const OTHERS = 24;

type Bar = Pick<TemplateProps, "site" | "nav" | "translations" | "siteUser">;

/**
 * The class that says from which width on the links of the header fit in one line; below it, they
 * are a menu. Estimated here because a style sheet cannot measure.
 */
export function barClass({ site, nav, translations, siteUser }: Bar): string {
  const links = nav.filter(({ route }) => route !== "/");
  const names = translations.map(({ lang }) => languageName(lang));
  // Several languages are a menu as wide as the longest.
  const languages = names.length === 2 ? names : names.toSorted(byLength).slice(0, 1);
  const width =
    OTHERS +
    widthOf(site.title) * 1.3 +
    sum(links.map(({ title }) => widthOf(title) + LINK_SPACE)) +
    sum(languages.map((name) => widthOf(name) + LINK_SPACE)) +
    (siteUser === null ? 0 : 5);
  const step = STEPS.find((from) => width <= from);
  return step === undefined ? "bar-menu" : `bar-${step}`;
}

function widthOf(text: string): number {
  const full = text.match(FULL_WIDTH)?.length ?? 0;
  return (text.length + full) * LETTER;
}

function byLength(a: string, b: string): number {
  return b.length - a.length;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
