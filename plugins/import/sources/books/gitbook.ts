/** GitBook: the folder of a book, with `SUMMARY.md`, as its synchronisation with Git writes it. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { dedented, replaceMarks } from "#lib/text";
import type { ImportItem } from "../../contract.js";
import { embedAddress } from "../../text/markdown-text.js";
import { readConfigFile } from "../source-files.js";
import { calloutOf, containerLines, tabLines } from "../../text/containers.js";
import { hideCode } from "../../text/hidden-code.js";
import { parseYamlMap, text } from "../files/front-matter.js";
import {
  folderSource,
  type FolderRules,
  isIn,
  type PageFile,
  pathOfPage,
  type PlacedPage,
  toAddress,
} from "../files/folder-source.js";
import { summarySidebar } from "../sidebar/list-sidebars.js";
import { readSummary } from "./summary.js";

const PAGE = /\.md$/i;
const TAG = /\{%-?\s*(end)?([a-z][\w-]{0,40})((?:[^%{]|\{(?!%)|%(?!\}))*?)-?%\}/g;
const LOST_KEYS = ["layout", "cover", "coverY", "icon"];

/** The source `gitbook`. */
export const gitbook = folderSource(
  "the folder of a book, with SUMMARY.md",
  async ({ root, paths }) => {
    const parsed = parseYamlMap(await readConfigFile(root, ".gitbook.yaml"));
    const config = "data" in parsed ? parsed.data : {};
    const listed = paths.find((path) => posix.basename(path) === "SUMMARY.md") ?? "SUMMARY.md";
    const structure = isRecord(config["structure"]) ? config["structure"] : {};
    const folder =
      text(config["root"])?.replaceAll(/^(?:\.?\/)+|\/+$/g, "") ??
      posix.dirname(listed).replace(/^\.$/, "");
    const own = folder === "" ? "" : `${folder}/`;
    const below = (path: string): string => path.slice(own.length);
    const summaryFile = posix.join(folder, text(structure["summary"]) ?? "SUMMARY.md");
    const readme = posix.normalize(text(structure["readme"]) ?? "README.md");
    const { entries } = readSummary(await readConfigFile(root, summaryFile));
    const isPage = (path: string): boolean => PAGE.test(path) && path.startsWith(own);
    const rules: FolderRules = {
      linkRoots: own === "" ? [] : [folder],
      extensions: [".md"],
      isIgnored: (path) =>
        !path.startsWith(own) ||
        path === summaryFile ||
        /(?:^|\/)(?:book\.json|\.bookignore|package\.json|LICENSE[^/]*)$/.test(path),
      isPage,
      lostPage: (path) =>
        isIn(below(path), ".gitbook/includes")
          ? "a part of other pages, which has no address"
          : isPage(path) && entries.size > 0 && !entries.has(below(path)) && below(path) !== readme
            ? "it is not in SUMMARY.md: no page"
            : null,
      keysRead: ["hidden"],
      keysLost: LOST_KEYS,
      place: (page) => place(page, below(page.path), readme, entries),
      addressOf: (path) => toAddress(below(path)),
      transform: (body) => gitbookText(body),
      sidebar: await summarySidebar({ root, paths, folder }),
      extra: () => redirectsOf(config["redirects"]),
    };
    return rules;
  },
  [".gitbook"],
);

function place(
  { data }: PageFile,
  below: string,
  readme: string,
  entries: ReturnType<typeof readSummary>["entries"],
): PlacedPage {
  const route = below === readme ? "/" : toAddress(pathOfPage(below));
  const entry = entries.get(below);
  return {
    route,
    template: "docs",
    position: entry?.position ?? null,
    addresses: [route, `${route === "/" ? "" : route}.html`],
    matter: { nav_title: entry?.title, ...(data["hidden"] === true && { hidden: true }) },
  };
}

/** `redirects` of `.gitbook.yaml`: an old address to a file. */
function redirectsOf(redirects: unknown): ImportItem[] {
  return Object.entries(isRecord(redirects) ? redirects : {}).flatMap(
    ([from, file]): ImportItem[] => {
      const to = text(file);
      if (to === null) return [];
      return [
        {
          kind: "redirect",
          origin: { file: ".gitbook.yaml" },
          from: toAddress(from),
          to: toAddress(pathOfPage(to.replace(/^\.\//, ""))),
        },
      ];
    },
  );
}

/** A block tag that is open at a place of a text. */
interface OpenTag {
  readonly name: string;
  readonly args: string;
  readonly tabs: { readonly title: string; readonly lines: readonly string[] }[];
  text: string;
}

/** The text with Markdown for the blocks of GitBook, and what was lost. */
function gitbookText(body: string): { text: string; notes: string[] } {
  const notes = new Set<string>();
  const hidden = hideCode(body.replaceAll("\r\n", "\n"));
  const translate = (written: string): string => {
    const part = withoutMarks(written);
    const root: OpenTag = { name: "", args: "", tabs: [], text: "" };
    const open: OpenTag[] = [root];
    const top = (): OpenTag => open.at(-1) ?? root;
    const close = (isWhole: boolean): void => {
      const tag = open.pop() ?? root;
      top().text += isWhole ? closed(tag, top(), { notes, restore: hidden.restore }) : tag.text;
    };
    let done = 0;
    for (const { index, 0: whole, 1: end, 2: name = "", 3: args = "" } of part.matchAll(TAG)) {
      top().text += part.slice(done, index);
      done = index + whole.length;
      if (end === undefined && BLOCKS.has(name)) open.push({ name, args, tabs: [], text: "" });
      else if (end === undefined) top().text += single(name, args, whole, notes);
      else if (open.some((tag) => tag.name === name)) {
        while (top().name !== name) close(false);
        close(true);
      }
    }
    top().text += part.slice(done);
    while (open.length > 1) close(false);
    return root.text;
  };
  return { text: hidden.restore(translate(hidden.text)), notes: [...notes] };
}

const BLOCKS: ReadonlySet<string> = new Set([
  "hint",
  "tabs",
  "tab",
  "code",
  "content-ref",
  "stepper",
  "step",
  "columns",
  "column",
  "embed-block",
]);
const HINTS: Readonly<Record<string, string>> = {
  info: "info",
  success: "success",
  warning: "warning",
  danger: "danger",
  tip: "tip",
};

interface TextContext {
  readonly notes: Set<string>;
  /** Puts hidden code back. */
  readonly restore: (text: string) => string;
}

/** What becomes of a block. */
function closed(
  { name, args, tabs, text }: OpenTag,
  above: OpenTag,
  { notes, restore }: TextContext,
): string {
  const lines = text.split("\n");
  if (name === "hint") {
    const style = argument(args, "style") ?? "info";
    return containerLines({ name: HINTS[style] ?? calloutOf(style), title: "", lines }).join("\n");
  }
  if (name === "tab" && above.name === "tabs") {
    above.tabs.push({ title: argument(args, "title") ?? "", lines: dedented(lines) });
    return "";
  }
  if (name === "tabs" && tabs.length > 0) return tabLines(tabs).join("\n");
  if (name === "content-ref") return reference(argument(args, "url"), text);
  if (name === "code") {
    const title = argument(args, "title");
    const words = [
      ...(title === null ? [] : [`title="${title}"`]),
      ...(argument(args, "lineNumbers") === "true" ? ["showLineNumbers"] : []),
    ];
    return restore(text).replace(/^([ \t]*(?:`{3,}|~{3,})[^\n]*)$/m, (fence) =>
      [fence.trimEnd(), ...words].join(" "),
    );
  }
  if (!["stepper", "step", "columns", "column", "tab", "tabs"].includes(name))
    notes.add(`{% ${name} %} was left out, its content stays`);
  return text;
}

/** A link to a page as a line: that of its content, else its address. */
function reference(url: string | null, text: string): string {
  const link = /\[[^[\]]*\]\([^()]*\)/.exec(text)?.[0];
  if (link !== undefined) return `\n${link}\n`;
  return url === null ? text : `\n[${url}](${url})\n`;
}

function single(name: string, args: string, whole: string, notes: Set<string>): string {
  const url = argument(args, "url") ?? argument(args, "src");
  if ((name === "embed" || name === "file") && url !== null) {
    if (name === "file") return `[${argument(args, "caption") ?? posix.basename(url)}](${url})`;
    return `\n${embedAddress(url) ?? `<${url}>`}\n`;
  }
  // The earlier form of {% content-ref %}.
  const page = name === "page-ref" ? argument(args, "page") : null;
  if (page !== null) return reference(page, "");
  notes.add(`{% ${name} %} stays as text`);
  return whole;
}

function argument(args: string, name: string): string | null {
  const [, double, single] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(args) ?? [];
  return double ?? single ?? null;
}

/** Without the attributes that GitBook writes beside headings and figures. */
function withoutMarks(text: string): string {
  return replaceMarks(
    text,
    /(?<![ \t])[ \t]*<a (?:href="#[^"\n]{0,300}" )?id="([^"\n]{1,300})">/g,
    ({ index, 0: head, 1: id = "" }, find) => {
      const close = find("</a>", index + head.length);
      const isHeading = /(?:^|\n)#{1,6}[^\n]*$/.test(text.slice(Math.max(0, index - 500), index));
      if (close === null || close.start !== index + head.length) return null;
      return { text: isHeading ? ` {#${id}}` : `<a id="${id}"></a>`, end: close.end };
    },
  );
}
