/** MkDocs: the folder of a site, with `mkdocs.yml` and `docs/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { readYaml } from "#lib/yaml";
import { readConfigFile } from "../source-files.js";
import { parsePosition, text, yamlValues } from "./front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  isIn,
  pathOfPage,
  toAddress,
} from "./folder-source.js";

interface NavPlace {
  readonly title: string | null;
  readonly position: number;
}

/** The source `mkdocs`. */
export const mkdocs = folderSource(
  "the folder of a site, with mkdocs.yml and docs/",
  async ({ root }) => {
    const config = await readConfig(root);
    const docs = (text(config["docs_dir"]) ?? "docs").replaceAll(/^\.?\/|\/$/g, "");
    const nav = readNav(config["nav"]);
    const url = text(config["site_url"]);
    const rules: FolderRules = {
      hosts: url !== null && URL.canParse(url) ? [new URL(url).hostname] : [],
      extensions: [".md"],
      isIgnored: (path) => !isIn(path, docs) || /\.(?:css|js|html|py|scss)$/.test(path),
      isPage: (path) => path.endsWith(".md"),
      place: (page) => place(page, docs, nav),
      addressOf: (path) => toAddress(path.slice(docs.length + 1)),
      transform: (body) => mkdocsText(body),
    };
    return rules;
  },
);

function place(
  { path, data }: PageFile,
  docs: string,
  nav: ReadonlyMap<string, NavPlace>,
): PlacedPage {
  const below = path.slice(docs.length + 1);
  const route = toAddress(pathOfPage(below));
  const there = nav.get(below) ?? nav.get(posix.dirname(below));
  return {
    route,
    template: "docs",
    addresses: [route, `${route}.html`],
    position: parsePosition(data["weight"], data["order"], there?.position),
    matter:
      there?.title === null || there === undefined || data["title"] !== undefined
        ? {}
        : { nav_title: there.title },
  };
}

/** File to its place: the number of its entry, from 1. Folders have the place of their first entry. */
function readNav(nav: unknown): ReadonlyMap<string, NavPlace> {
  const places = new Map<string, NavPlace>();
  const walk = (items: unknown, depth: number): void => {
    if (!Array.isArray(items) || depth > 10) return;
    for (const item of items) {
      if (typeof item === "string") add(item, null);
      else if (isRecord(item)) {
        for (const [title, value] of Object.entries(item)) {
          if (typeof value === "string") add(value, title);
          else walk(value, depth + 1);
        }
      }
    }
  };
  const add = (path: string, title: string | null): void => {
    if (!path.endsWith(".md")) return;
    const file = path.replace(/^\.\//, "");
    places.set(file, { title, position: places.size + 1 });
  };
  walk(nav, 0);
  return places;
}

async function readConfig(root: string): Promise<Record<string, unknown>> {
  const source = await readConfigFile(root, "mkdocs.yml");
  // Also what can be read of a file with mistakes; tags such as `!!python/name:` are left out.
  const data = yamlValues(readYaml(source));
  return isRecord(data) ? data : {};
}

/** Extensions of Python-Markdown that MkDocs sites use, as containers of this project. */

const BLOCK =
  /^([ \t]*)(!!!|\?\?\?\+?|===\+?)[ \t]+(?:([\w-]+)(?:[ \t]+[\w -]*?)?)?[ \t]*(?:"([^"\n]*)")?[ \t]*$/;
const ATTRIBUTES = /(?<=[\])`*_])\{:?[ \t]*[.#][^}\n]*\}|^[ \t]*\{:?[ \t]*[.#][^}\n]*\}[ \t]*$/gm;
const SNIPPET = /^[ \t]*-+8<-+[^\n]*$/gm;
/** Kind of an admonition to the container that shows it; any other kind is a note. */
const KINDS: Readonly<Record<string, string>> = {
  note: "note",
  quote: "note",
  cite: "note",
  abstract: "info",
  summary: "info",
  info: "info",
  todo: "info",
  question: "info",
  help: "info",
  faq: "info",
  example: "info",
  tip: "tip",
  hint: "tip",
  important: "important",
  success: "success",
  check: "success",
  done: "success",
  warning: "warning",
  attention: "warning",
  caution: "caution",
  failure: "danger",
  fail: "danger",
  missing: "danger",
  danger: "danger",
  error: "danger",
  bug: "danger",
};
const MAX_DEPTH = 20;

/** The text with the extensions of Python-Markdown that MkDocs sites use as containers of this project. */
export function mkdocsText(body: string): { text: string; notes: string[] } {
  const notes = SNIPPET.test(body) ? ["included snippets were left out"] : [];
  SNIPPET.lastIndex = 0;
  const plain = body.replaceAll("\r\n", "\n").replaceAll(SNIPPET, "").replaceAll(ATTRIBUTES, "");
  return { text: containers(plain.split("\n"), 0).join("\n"), notes };
}

/** Lines with indented blocks as containers; code fences stay. */
function containers(lines: readonly string[], depth: number): string[] {
  const result: string[] = [];
  let fence: string | null = null;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    fence = fenceAfter(line, fence);
    const block = fence === null && depth < MAX_DEPTH ? BLOCK.exec(line) : null;
    if (block === null) result.push(line);
    else {
      const inner = indented(lines, at + 1, (block[1] ?? "").length + 4);
      at += inner.count;
      result.push(...container(block, containers(inner.lines, depth + 1), depth));
    }
  }
  return result;
}

/** The fence that is open after a line. */
function fenceAfter(line: string, open: string | null): string | null {
  const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
  if (mark === undefined) return open;
  if (open === null) return mark;
  return line.trim().startsWith(open) ? null : open;
}

function container(block: RegExpExecArray, content: readonly string[], depth: number): string[] {
  const [, indent = "", sign = "", kind = "", title = ""] = block;
  const colons = ":".repeat(Math.max(3, 8 - depth));
  const inner = content.map((one) => (one === "" ? one : indent + one));
  return [
    `${indent}${colons} ${formatHead(sign, kind, title)}`,
    ...inner,
    `${indent}${colons}`,
    "",
  ];
}

function formatHead(sign: string, kind: string, title: string): string {
  const name = sign.startsWith("?") ? "details" : (KINDS[kind.toLowerCase()] ?? "note");
  // A tab is shown as a box with its title, one below the other.
  const shown = title === "" && sign.startsWith("?") ? kind : title;
  return sign.startsWith("=") ? `info ${title}` : `${name}${shown === "" ? "" : ` ${shown}`}`;
}

/** The lines that belong to a block, without their indentation. */
function indented(
  lines: readonly string[],
  from: number,
  width: number,
): { lines: string[]; count: number } {
  const items: string[] = [];
  for (let at = from; at < lines.length; at += 1) {
    const line = (lines[at] ?? "").replaceAll("\t", "    ");
    if (line.trim() !== "" && line.length - line.trimStart().length < width) break;
    items.push(line.slice(width));
  }
  while (items.length > 0 && items.at(-1)?.trim() === "") items.pop();
  return { lines: items, count: items.length };
}
