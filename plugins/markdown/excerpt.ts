const DEFAULT_SIZE = 300;

/** What an excerpt is made from. */
export interface ExcerptSource {
  frontmatter: Readonly<Record<string, unknown>>;
  title: string;
  /** The beginning of the page's text, at least a few times `size` long when there is so much. */
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

/** A body that opens with the title as its heading says it twice otherwise. */
function withoutTitle(text: string, title: string): string {
  const [first = "", ...rest] = text.trimStart().split("\n");
  return first.trim() === title.trim() ? rest.join("\n") : text;
}

/** At most `size` characters, cut at the last space and marked with `…` where cut. */
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
