const DEFAULT_SIZE = 300;

/** Source of an excerpt. */
export interface ExcerptSource {
  frontmatter: Readonly<Record<string, unknown>>;
  title: string;
  /** The beginning of the page's text, if long enough at least a few times `size` long. */
  text(size: number): string;
}

/** The page's summary: front matter `summary`, else the beginning of its text, else its title. */
export function excerptOf(source: ExcerptSource, size?: number): string {
  const { summary } = source.frontmatter;
  if (typeof summary === "string" && summary.trim() !== "") return summary.trim();
  const wanted = size ?? sizeOf(summary) ?? DEFAULT_SIZE;
  const text = withoutTitle(source.text(wanted), source.title).replace(/\s+/g, " ").trim();
  return text === "" ? source.title : cutAtWord(text, wanted);
}

/** Removes a heading that repeats the title from the start of a text. */
function withoutTitle(text: string, title: string): string {
  const [first = "", ...rest] = text.trimStart().split("\n");
  return first.trim() === title.trim() ? rest.join("\n") : text;
}

/** At most `size` characters; truncated text is cut at a space and ends with `…`. */
export function cutAtWord(text: string, size: number): string {
  if (text.length <= size) return text;
  const head = text.slice(0, size);
  const space = text[size] === " " ? size : head.lastIndexOf(" ");
  return `${wholeCharacters(space > 0 ? head.slice(0, space) : head).trimEnd()}…`;
}

function wholeCharacters(text: string): string {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? text.slice(0, -1) : text;
}

function sizeOf(summary: unknown): number | undefined {
  if (typeof summary !== "object" || summary === null || !("size" in summary)) return undefined;
  const { size } = summary;
  return typeof size === "number" && Number.isInteger(size) && size > 0 ? size : undefined;
}
