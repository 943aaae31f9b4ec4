/** mdBook: the folder of a book, with `book.toml` and `src/SUMMARY.md`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import type { ImportItem } from "../../contract.js";
import { mdbookMarks, withoutMdbookMarks } from "../includes/include-marks.js";
import { summarySidebar } from "../sidebar/list-sidebars.js";
import { readConfigFile } from "../source-files.js";
import { hideCode, outsideCode } from "../../text/hidden-code.js";
import { commentsLast, isInComment, templateComment } from "../../text/template-comments.js";
import { parseTomlMap, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  isIn,
  type PageFile,
  pathOfPage,
  type PlacedPage,
  toAddress,
} from "../files/folder-source.js";
import { readSummary } from "./summary.js";

const PAGE = /\.md$/i;
const FENCE =
  /^([ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:`{3,}|~{3,})[ \t]*[\w+#.-]+),([\w,=.: +-]*)[ \t]*$/;
/** Words after the language that say how the compiler runs the code. */
const RUN =
  /^(?:ignore(?:-\w+)?|no_run|should_panic|compile_fail|editable|noplayground|noplaypen|mdbook-runnable|does_not_compile|panics|not_desired_behavior|unchecked|edition\d{4}|E\d{4}|hidelines=.*)$/;
const HELPER = /(?<!\\)\{\{\s*#(\w+)[^{}\n]{0,300}\}\}/g;
/** A value that a preprocessor of the book fills in; mdBook itself shows it as text. */
const VALUE = /(?<!\\)\{\{[ \t]*([A-Za-z][\w.-]{0,100})[ \t]*\}\}/g;
const BUILT_IN: ReadonlySet<string> = new Set(["links", "index"]);
const READ_TABLES: ReadonlySet<string> = new Set([
  "book",
  "build",
  "output",
  "preprocessor",
  "rust",
]);
const READ_HTML: ReadonlySet<string> = new Set([
  "redirect",
  "site-url",
  "search",
  "print",
  "fold",
  "playground",
  "playpen",
  "no-section-label",
  "smart-punctuation",
  "curly-quotes",
  "mathjax-support",
  "copy-fonts",
  "cname",
  "edit-url-template",
  "git-repository-url",
  "git-repository-icon",
  "input-404",
  "default-theme",
  "preferred-dark-theme",
]);

/** The source `mdbook`. */
export const mdbook = folderSource(
  "the folder of a book, with book.toml and src/SUMMARY.md",
  async ({ root, paths }) => {
    const file = paths
      .filter((path) => posix.basename(path) === "book.toml")
      .toSorted((a, b) => a.length - b.length)[0];
    const above = file === undefined ? "" : file.slice(0, -"book.toml".length);
    const parsed = parseTomlMap(file === undefined ? "" : await readConfigFile(root, file));
    const config = "data" in parsed ? parsed.data : {};
    const book = tableOf(config["book"]);
    const html = tableOf(tableOf(config["output"])["html"]);
    const src = posix.join(above, text(book["src"]) ?? "src");
    const summary = readSummary(await readConfigFile(root, `${src}/SUMMARY.md`));
    const url = text(html["site-url"]) ?? "";
    const isProcessed = Object.keys(tableOf(config["preprocessor"])).some(
      (name) => !BUILT_IN.has(name),
    );
    const isPage = (path: string): boolean => isIn(path, src) && PAGE.test(path);
    const below = (path: string): string => path.slice(src.length + 1);
    const rules: FolderRules = {
      hosts: URL.canParse(url) ? [new URL(url).hostname] : [],
      basePath: URL.canParse(url) ? new URL(url).pathname : url,
      linkRoots: [src],
      extensions: [".md"],
      isIgnored: (path) => !isIn(path, src) || below(path) === "SUMMARY.md",
      isPage,
      lostPage: (path) => {
        if (isPage(path)) {
          const isListed = summary.entries.size === 0 || summary.entries.has(below(path));
          return isListed ? null : "it is not in SUMMARY.md: no page, though others may include it";
        }
        return /\.(?:rs|toml|js|css|hbs|html|lock)$/i.test(path)
          ? "a file that pages include or the theme uses"
          : null;
      },
      place: (page) => place(page, below(page.path), summary.entries),
      addressOf: (path) => toAddress(below(path)),
      site: {
        title: text(book["title"]),
        description: text(book["description"]),
        language: text(book["language"]),
      },
      includes: mdbookMarks,
      transform: (body) => bookText(withoutMdbookMarks(body), isProcessed),
      sidebar: await summarySidebar({ root, paths, folder: src }),
      extra: () => extra({ file, above, config, html, src, drafts: summary.drafts }),
    };
    return rules;
  },
);

function place(
  { path }: PageFile,
  below: string,
  entries: ReturnType<typeof readSummary>["entries"],
): PlacedPage {
  const route = toAddress(pathOfPage(below));
  const entry = entries.get(below);
  const isHome =
    route === "/" ||
    (entry?.position === 1 && ![...entries.keys()].some((one) => pathOfPage(one) === ""));
  return {
    // The first chapter is the home page of a book without one.
    route: isHome ? "/" : route,
    template: "docs",
    position: entry?.position ?? null,
    // The page for printing has all chapters there.
    addresses: [
      route,
      `${route === "/" ? "/index" : route}.html`,
      ...(isHome ? ["/print.html"] : []),
    ],
    answersAtFolder: route === "/" || pathOfPage(path) !== path.replace(PAGE, ""),
    matter: { nav_title: entry?.title },
  };
}

/** The configuration and files of a book. */
interface Book {
  readonly file: string | undefined;
  readonly above: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly html: Readonly<Record<string, unknown>>;
  readonly src: string;
  readonly drafts: readonly string[];
}

function extra({ file = "book.toml", config, html, src, drafts }: Book): ImportItem[] {
  const origin = { file };
  const lost = (reason: string): ImportItem => ({ kind: "notImported", origin, reason });
  const redirects = Object.entries(tableOf(html["redirect"])).map(([from, to]): ImportItem => {
    if (typeof to !== "string") return lost(`the redirect from ${from} has no target`);
    const url = new URL(to, `https://files.invalid${encodeURI(toAddress(from))}`);
    const isOwn = url.hostname === "files.invalid";
    return {
      kind: "redirect",
      origin,
      from: toAddress(from),
      to: isOwn ? url.pathname.replace(/\.html$/, "").replace(/\/index$/, "/") : to,
    };
  });
  const books = Object.keys(tableOf(config["preprocessor"])).map((name) =>
    lost(`the preprocessor ${name} does not run: what it changes stays as written`),
  );
  const settings = [
    ...Object.keys(config).filter((key) => !READ_TABLES.has(key)),
    ...Object.keys(tableOf(config["output"]))
      .filter((key) => key !== "html")
      .map((key) => `output.${key}`),
    ...Object.keys(html)
      .filter((key) => !READ_HTML.has(key))
      .map((key) => `output.html.${key}`),
  ].map((key) => lost(`the setting ${key} has no counterpart`));
  const chapters = drafts.map((title): ImportItem => ({
    kind: "notImported",
    origin: { file: `${src}/SUMMARY.md` },
    reason: `the chapter ${JSON.stringify(title)} has no file`,
  }));
  return [...redirects, ...books, ...settings, ...chapters];
}

/** The text with plain languages of code, without the lines that mdBook hides. */
function bookText(body: string, isProcessed: boolean): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const plain = plainFences(body);
  const text = isProcessed ? withoutValues(plain, notes) : plain;
  for (const [, name = ""] of hideCode(text).text.matchAll(HELPER))
    notes.add(`{{#${name}}} stays as text`);
  return { text, notes: [...notes] };
}

/** The text with comments for the values that preprocessors fill in. */
function withoutValues(body: string, notes: Set<string>): string {
  return outsideCode(body, (part) =>
    commentsLast(
      part.replaceAll(VALUE, (value: string, name: string, at: number) => {
        const comment = isInComment(part, at) ? null : templateComment(part, at, at + value.length);
        if (comment === null) return value;
        notes.add(`the value {{ ${name} }} of a preprocessor stays as a comment`);
        return comment;
      }),
    ),
  );
}

/** Fences with only their language, and what Markdown here knows; Rust code without its hidden lines. */
function plainFences(body: string): string {
  const lines = body.split("\n");
  const result: string[] = [];
  let open: { readonly end: string; readonly isRust: boolean } | null = null;
  for (const line of lines) {
    if (open !== null) {
      if (
        line.trim() === open.end ||
        (line.trim().startsWith(open.end) && /^[`~]+$/.test(line.trim()))
      )
        open = null;
      else if (open.isRust && /^[ \t>]*#(?:[ \t]|$)/.test(line)) continue;
      result.push(open !== null && open.isRust ? line.replace(/^([ \t>]*)##/, "$1#") : line);
      continue;
    }
    const [, mark = "", info = ""] =
      /^[ \t>]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?(`{3,}|~{3,})([^`]*)$/.exec(line) ?? [];
    if (mark !== "") open = { end: mark, isRust: /^[ \t]*(?:rust|rs)\b/.test(info) };
    result.push(line.replace(FENCE, languageOnly));
  }
  return result.join("\n");
}

function languageOnly(_: string, opening: string, words: string): string {
  const kept = words
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "" && !RUN.test(word));
  return [opening, ...kept].join(" ");
}

function tableOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
