/** `::: include path`: the text or code of another file of the content folder, in the place of the line. */
import { realpath, readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { frontMatterClosing, frontMatterOpening } from "#lib/front-matter";
import { partOf, lineRange, type FilePart } from "#lib/text";
import type { ContentService, PageEntry } from "../content/contract.js";
import type { IncludeSyntax, MarkdownService, Shortcode, ShortcodeContext } from "./contract.js";
import { PageTable } from "./links/page-table.js";

const MAX_BYTES = 512 * 1024;
const MAX_DEPTH = 10;
const LINE = /^((?:[ \t]|>)*):{3,} include[ \t]+("[^"\n]+"|[^\s"{}]+)([^\n{}]*)$/;
const CLOSE = /^(?:[ \t]|>)*:{3,}[ \t]*$/;
const FENCE = /^(?:[ \t]|>)*(`{3,}|~{3,})/;
const PAGE = /\.(?:md|markdown|mdown|mkdn?|mdx|tsx)$/i;
const MARKDOWN = /\.(?:md|markdown|mdown|mkdn?)$/i;
/** Files that a text is in while it is included. */
const SEPARATOR = "|";

/** Which lines include files. */
export interface IncludeMarkOptions {
  /** The systems whose own lines include files. */
  readonly systems: readonly IncludeSyntax[];
  /** Files that the text is in, while it is included. */
  readonly open?: string;
}

/** The body with `::: include path` as the shortcode that shows the file; lines keep their numbers. */
export function markIncludes(body: string, { systems, open = "" }: IncludeMarkOptions): string {
  const foreign = systems.filter((system) => body.includes(FOREIGN[system].mark));
  if (!body.includes("::: include ") && foreign.length === 0) return body;
  const trail = open === "" ? "" : ` open=${JSON.stringify(open)}`;
  let fence = "";
  let isOpen = false;
  const lines = body.split("\n");
  for (const [at, line] of lines.entries()) {
    const before = fence;
    fence = fenceAfter(line, fence);
    if (fence !== "") {
      // A sample of nothing but an included file is this file as code.
      const sample = before === "" ? includedSample(lines.slice(at, at + 3), foreign) : null;
      if (sample !== null) {
        lines.splice(at, 3, `${sample}${trail} }}`, "", "");
        fence = "";
      }
      continue;
    }
    if (isOpen && CLOSE.test(line)) {
      isOpen = false;
      lines[at] = "";
      continue;
    }
    isOpen = isOpen && line.trim() === "";
    const own = ownCall(line);
    isOpen ||= own !== null;
    const call = own ?? foreignCall(line, foreign);
    if (call !== null) lines[at] = `${call}${trail} }}`;
  }
  return lines.join("\n");
}

/** The beginning of the shortcode for `::: include path`; null for any other line. */
function ownCall(line: string): string | null {
  const [, indent = "", path = "", options = ""] = LINE.exec(line.replace(/\r$/, "")) ?? [];
  if (path === "") return null;
  return `${indent}{{ include-file path="${path.replaceAll('"', "")}"${options.trimEnd()}`;
}

/** How a system writes an included file. */
interface ForeignInclude {
  /** In every text with such a line. */
  readonly mark: string;
  /** The line: what is before it, the file, and its part. */
  readonly line: RegExp;
  /** The parameters of a part as written. */
  part(written: string): string;
}

const FOREIGN: Readonly<Record<IncludeSyntax, ForeignInclude>> = {
  mkdocs: {
    mark: "8<--",
    line: /^((?:[ \t]|>)*)-{1,9}8<-{1,9}[ \t]+(?:"([^"\n:]+)(?::([^"\n]*))?"|'([^'\n:]+)(?::([^'\n]*))?')[ \t]*$/,
    part: namedPart,
  },
  mdbook: {
    mark: "{{#",
    line: /^((?:[ \t]|>)*)\{\{#(?:include|rustdoc_include|playground)[ \t]+([^\s:{}"]+)(?::([^\s{}"]*))?(?:[ \t][^{}]*)?\}\}[ \t]*$/,
    part: namedPart,
  },
  vitepress: {
    mark: "@include:",
    line: /^((?:[ \t]|>)*)<!--[ \t]*@include:[ \t]*(?:@\/)?([^\s{}#"]+)((?:#[^\s{}"]+)?(?:\{[\d,]*\})?)[ \t]*-->[ \t]*$/,
    part: (written) => {
      const [, name = "", lines = ""] = /^(?:#([^{]+))?(?:\{([^}]*)\})?$/.exec(written) ?? [];
      if (name !== "") return ` region="${name}" heading="${name}"`;
      return lines === "" ? "" : ` lines="${lines.replace(",", "-")}"`;
    },
  },
  obsidian: {
    mark: "![[",
    line: /^((?:[ \t]|>)*)!\[\[([^[\]{}|#"\n]+)(?:#([^[\]{}|"\n]+))?\]\][ \t]*$/,
    part: (written) => (written === "" ? "" : ` heading="${written.split("#").at(-1) ?? ""}"`),
  },
};

/** The part of mkdocs and mdBook: `2:5`, `2:`, `:5`, or the name of a region. */
function namedPart(written: string): string {
  if (written === "") return "";
  const [, from = "", to = ""] = /^(\d*)(?::(\d*))?$/.exec(written) ?? [];
  if (from + to === "") return ` region="${written}"`;
  return ` lines="${written.includes(":") ? `${from || 1}-${to}` : from}"`;
}

/** The beginning of the shortcode for a line of another system; null for any other line. */
function foreignCall(line: string, systems: readonly IncludeSyntax[]): string | null {
  for (const system of systems) {
    const { line: pattern, part } = FOREIGN[system];
    const match = pattern.exec(line.replace(/\r$/, ""));
    if (match === null) continue;
    const [before = "", path = "", written = ""] = match
      .slice(1)
      .filter((one) => one !== undefined);
    if (system !== "obsidian") return `${before}{{ include-file path="${path}"${part(written)}`;
    // Files that are no notes are embedded as media.
    const extension = posix.extname(path).toLowerCase();
    if (extension !== "" && extension !== ".md" && /^\.[a-z\d]{1,5}$/.test(extension)) return null;
    return `${before}{{ include-file path="${path.replace(/\.md$/i, "")}.md" note${part(written)}`;
  }
  return null;
}

/** The beginning of the shortcode for a sample of code that is one included file; null for any other. */
function includedSample(
  [first = "", line = "", last = ""]: readonly string[],
  systems: readonly IncludeSyntax[],
): string | null {
  const [, mark = "", info = ""] =
    /^(?:[ \t]|>)*(`{3,}|~{3,})[ \t]*\{?\.?([\w+#-]*)/.exec(first) ?? [];
  const isClosed = mark !== "" && last.trim().startsWith(mark);
  const call = isClosed ? foreignCall(line, systems) : null;
  if (call === null || call.includes(" note")) return null;
  return info === "" ? `${call} code` : `${call} code lang="${info}"`;
}

/** The mark of the block of code that is open after a line; empty for none. `fence`: the one before it. */
function fenceAfter(line: string, fence: string): string {
  const mark = FENCE.exec(line)?.[1];
  if (mark === undefined) return fence;
  if (fence === "") return mark;
  return mark.startsWith(fence) ? "" : fence;
}

/** The shortcodes in a body that `markIncludes` has returned. */
export function includeMarks(body: string): string[] {
  if (!body.includes("{{ include-file ")) return [];
  return [...body.matchAll(/\{\{ include-file [^{}\n]*\}\}/g)].map(([mark]) => mark);
}

/** What the shortcode needs. */
interface IncludeOptions {
  readonly content: Pick<ContentService, "generation" | "isAlwaysPublic">;
  /** Absolute path of the content folder. */
  readonly root: string;
  readonly renderText: MarkdownService["renderText"];
  readonly systems: readonly IncludeSyntax[];
}
/** A file to show. */
interface IncludedFile {
  /** Below the content folder. */
  readonly path: string;
  readonly text: string;
}

/** The shortcode `include-file`, which `::: include` stands for. */
export function includeShortcode(options: IncludeOptions): Shortcode {
  const { content, root, renderText, systems } = options;
  const pages = new PageTable(content);
  return {
    params: {
      path: { type: "text", required: true, label: "File" },
      lines: { type: "text", label: "Lines, such as 2-5" },
      region: { type: "text", label: "Region" },
      heading: { type: "text", label: "Heading" },
      lang: { type: "text", label: "Language of the code" },
      code: { type: "toggle", label: "As code" },
      note: { type: "toggle", label: "A note of any folder" },
      open: { type: "text", label: "Files around it" },
    },
    async render(params, { page, tags, expireAt }: ShortcodeContext) {
      const value = (name: string): string => {
        const text = params[name];
        return typeof text === "string" ? text : "";
      };
      const place = { root, page, tags };
      const wanted = params["note"] === true ? noteOf(value("path"), content, tags) : value("path");
      const file = await findFile(wanted, place);
      const open = value("open") === "" ? [page.sourcePath] : value("open").split(SEPARATOR);
      if (open.includes(file.path) || open.length > MAX_DEPTH)
        throw new Error(`files include each other: ${[...open, file.path].join(" → ")}`);
      const entry = content.generation().bySource.get(file.path);
      assertPublic(file.path, page, { pages, content, entry });
      const part = readPart(value);
      const text = partOf(MARKDOWN.test(file.path) ? withoutMatter(file.text) : file.text, part);
      if (text === null)
        throw new Error(
          `${file.path} has no part ${JSON.stringify(value("region") || value("heading"))}`,
        );
      const base: PageEntry = entry ?? {
        ...page,
        sourcePath: file.path,
        folder: folderOf(file.path),
      };
      const isText = MARKDOWN.test(file.path) && params["code"] !== true;
      const shown = isText
        ? markIncludes(text, { systems, open: [...open, file.path].join(SEPARATOR) })
        : codeBlock(value("lang") || posix.extname(file.path).slice(1), text);
      const html = await renderText(shown, base, { reads: tags, expireAt });
      return { html, trusted: true };
    },
  };
}

function readPart(value: (name: string) => string): FilePart {
  const [region, heading, lines] = [value("region"), value("heading"), value("lines")];
  if (region !== "") return { region, ...(heading !== "" && { heading }) };
  if (heading !== "") return { heading };
  if (lines === "") return {};
  const ranges = lines.split(",").map((range) => lineRange(range));
  const valid = ranges.filter((range) => range !== null);
  if (valid.length < ranges.length)
    throw new Error(`lines: expected such as 2-5 or 2-5,9, received ${JSON.stringify(lines)}`);
  return { lines: valid };
}

/** The path of a note by its name, as Obsidian finds it in any folder; the name itself when no note has it. */
function noteOf(
  name: string,
  content: Pick<ContentService, "generation">,
  tags: Set<string>,
): string {
  tags.add("list");
  const wanted = `/${name.toLowerCase()}`;
  const { entries } = content.generation();
  const found = entries.find(({ sourcePath }) => `/${sourcePath}`.toLowerCase().endsWith(wanted));
  return found === undefined ? name : `/${found.sourcePath}`;
}

/** The place of an include. */
interface IncludePlace {
  readonly root: string;
  readonly page: PageEntry;
  readonly tags: Set<string>;
}

/** The file of a path: from the file with the include, then from the content folder. `tags` get what its text depends on. */
async function findFile(
  written: string,
  { root, page, tags }: IncludePlace,
): Promise<IncludedFile> {
  const plain = written.replaceAll("\\", "/");
  const near = posix.join(plain.startsWith("/") ? "" : folderOf(page.sourcePath), plain);
  const candidates = plain.startsWith(".") ? [near] : [near, posix.join(plain)];
  for (const candidate of new Set(candidates.map((path) => path.replace(/^\/+/, "")))) {
    if (!isAllowed(candidate)) continue;
    tags.add(`media:${folderOf(candidate)}`).add(`page:${candidate}`);
    const text = await readInside(root, candidate);
    if (text !== null) return { path: candidate, text };
  }
  throw new Error(`there is no file ${JSON.stringify(written)} in the content folder`);
}

/** False for a path outside of the content folder, for hidden files, and below `_drafts`. */
function isAllowed(path: string): boolean {
  return path
    .split("/")
    .every(
      (name) =>
        !name.startsWith(".") &&
        name !== "" &&
        name !== "node_modules" &&
        !/^(?:\d+\.)?_drafts?$/i.test(name),
    );
}

/** The text of a file; null for a missing one and behind a link. @throws Error for one that is too large. */
async function readInside(root: string, path: string): Promise<string | null> {
  try {
    const [real, top] = await Promise.all([realpath(join(root, path)), realpath(root)]);
    if (real !== join(top, path)) return null;
    const { size } = await stat(real);
    if (size > MAX_BYTES)
      throw new RangeError(`${path} has ${size} bytes, at most ${MAX_BYTES} are shown`);
    return await readFile(real, "utf8");
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return null;
  }
}

/** What decides whether visitors may see a file. */
interface IncludeRights {
  readonly pages: PageTable;
  readonly content: Pick<ContentService, "isAlwaysPublic">;
  /** The page of the file; undefined for any other file. */
  readonly entry: PageEntry | undefined;
}

/**
 * A page that includes another one, or a part beside it, must not show it to more people.
 * @throws Error saying why it is not shown.
 */
function assertPublic(
  path: string,
  page: PageEntry,
  { pages, content, entry }: IncludeRights,
): void {
  const isPart = posix.basename(path).startsWith("_");
  if (PAGE.test(path) && !isPart && (entry === undefined || !MARKDOWN.test(path)))
    throw new Error(`${path} is not a page in Markdown that visitors can see`);
  const owner = entry ?? ownerOf(path, pages);
  if (owner === undefined || owner.sourcePath === page.sourcePath || content.isAlwaysPublic(owner))
    return;
  const hasSameReaders = JSON.stringify(owner.roles) === JSON.stringify(page.roles);
  if (!hasSameReaders || !content.isAlwaysPublic({ ...owner, roles: null }))
    throw new Error(`${owner.sourcePath} is not public, so that ${path} is not shown here`);
}

/** The page of the nearest folder above a file. */
function ownerOf(path: string, pages: PageTable): PageEntry | undefined {
  for (let folder = folderOf(path); folder !== ""; folder = folderOf(folder)) {
    const owner = pages.at(folder);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

function withoutMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, "");
  const opening = frontMatterOpening(plain);
  const closing = opening && frontMatterClosing(plain, opening.length, opening.mark);
  return closing ? plain.slice(closing.end) : plain;
}

function codeBlock(language: string, text: string): string {
  const runs = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
}

function folderOf(path: string): string {
  const folder = posix.dirname(path);
  return folder === "." ? "" : folder;
}
