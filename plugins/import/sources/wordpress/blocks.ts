/** Blocks of the editor of WordPress: reusable ones are put in, footnotes come back, computed ones are named. */
import { escapeHtml, isRecord } from "#kernel";
import { replaceMarks } from "#lib/text";

const MAX_DEPTH = 10;
const MAX_LENGTH = 5_000_000;
const BLOCK = /<!--\s*(\/?)wp:([a-z][\w/-]{0,100})/g;
const REFERENCE = /<!--\s*wp:block\s[^{}]{0,20}\{[^{}]{0,200}?"ref"\s*:\s*(\d{1,12})/g;
/** Blocks that have no text when they are written without an end: nothing of them is lost. */
const EMPTY: ReadonlySet<string> = new Set(
  "freeform group heading html list more nextpage paragraph separator shortcode spacer".split(" "),
);
/** Templates inside of computed lists: their text is shown for each entry, or when the list is empty. */
const TEMPLATES: ReadonlySet<string> = new Set([
  "post-template",
  "query-no-results",
  "query-pagination",
  "comment-template",
  "comments-pagination",
]);
/** Blocks with an end whose entries are computed. */
const LISTS: ReadonlySet<string> = new Set(["query", "comments"]);

/** A reusable block of an export. */
export interface ReusableBlock {
  readonly content: string;
  /** False for one that WordPress does not show: a draft, or in the trash. */
  readonly isPublic: boolean;
}

/** What a post needs of its export. */
export interface BlockContext {
  /** The reusable block with a number; undefined for a missing one. */
  readonly reusable: (id: string) => ReusableBlock | undefined;
  /** The value of `footnotes` of the post, a list in JSON; undefined without one. */
  readonly footnotes: string | undefined;
}

/** HTML with the content of its blocks, and what WordPress computes and this text lacks. */
interface ExpandedBlocks {
  readonly html: string;
  readonly lost: readonly string[];
}

/** The numbers of the reusable blocks that a content names. */
export function blockReferences(content: string): string[] {
  return [...content.matchAll(REFERENCE)].flatMap(([, id]) => id ?? []);
}

/** Puts in reusable blocks and footnotes, and leaves out blocks that WordPress computes. */
export function expandBlocks(content: string, context: BlockContext): ExpandedBlocks {
  const lost = new Set<string>();
  let length = 0;
  let hasFootnotes = false;

  const reusable = (id: string, above: readonly string[]): string => {
    const block = context.reusable(id);
    const problem =
      block === undefined
        ? "is not in the export"
        : !block.isPublic
          ? "is not public"
          : above.includes(id)
            ? "contains itself"
            : above.length >= MAX_DEPTH || length > MAX_LENGTH
              ? "is nested too deeply"
              : null;
    if (problem !== null || block === undefined) {
      lost.add(`reusable block ${id} ${problem}: it was left out`);
      return "";
    }
    length += block.content.length;
    return expand(block.content, [...above, id]);
  };

  const alone = (name: string, attributes: Attributes, above: readonly string[]): string => {
    if (name === "block") return reusable(String(attributes["ref"] ?? ""), above);
    if (name === "footnotes") {
      hasFootnotes = true;
      return footnoteList(context.footnotes);
    }
    if (name === "social-link" || name === "navigation-link") return linkItem(attributes);
    if (!EMPTY.has(name)) lost.add(`block wp:${name} was left out: WordPress computes its content`);
    return "";
  };

  const expand = (text: string, above: readonly string[]): string =>
    replaceMarks(text, BLOCK, ({ index, 0: head, 1: slash, 2: name = "" }, find) => {
      const close = find("-->", index);
      if (close === null || slash !== "") return null;
      const more = text.slice(index + head.length, close.start).trim();
      if (more.endsWith("/")) {
        return { text: alone(name, parseAttributes(more.slice(0, -1)), above), end: close.end };
      }
      if (LISTS.has(name))
        lost.add(`block wp:${name} was left out: WordPress computes its content`);
      const end = TEMPLATES.has(name) ? find(`<!-- /wp:${name} -->`, close.end) : null;
      return end === null ? null : { text: "", end: end.end };
    });

  const html = expand(content, []);
  const notes = hasFootnotes ? "" : footnoteList(context.footnotes);
  return { html: html + notes, lost: [...lost] };
}

type Attributes = Readonly<Record<string, unknown>>;

function parseAttributes(text: string): Attributes {
  const parsed = parseJson(text.trim());
  return isRecord(parsed) ? parsed : {};
}

/** The value of a JSON text; null for an invalid one. */
function parseJson(text: string): unknown {
  try {
    return text === "" ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Footnotes in the form that HTML has them, which becomes that of Markdown. */
function footnoteList(value: string | undefined): string {
  const notes = value === undefined ? [] : parseJson(value);
  const items = (Array.isArray(notes) ? notes : []).filter(isRecord).flatMap(({ id, content }) => {
    if (typeof id !== "string" || typeof content !== "string") return [];
    return `<li id="${escapeHtml(id)}">${content}</li>`;
  });
  return items.length === 0
    ? ""
    : `\n\n<section class="footnotes"><ol>${items.join("")}</ol></section>\n\n`;
}

function linkItem({ url, label, service }: Attributes): string {
  if (typeof url !== "string" || url === "") return "";
  const shown = [label, service, url].find((one) => typeof one === "string" && one !== "");
  return `<p><a href="${escapeHtml(url)}">${escapeHtml(String(shown))}</a></p>`;
}
