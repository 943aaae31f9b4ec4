/** Sidebars that are lists: `nav` of MkDocs and `.pages`, `SUMMARY.md` of mdBook and GitBook, `_sidebar.md` of docsify. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { replaceMarks } from "#lib/text";
import { readYaml } from "#lib/yaml";
import type { SidebarPlace } from "../../contract.js";
import { fileKey } from "../../plan/address-key.js";
import { readConfigFile } from "../source-files.js";
import {
  isExternal,
  linkTo,
  pageNames,
  plainTitle,
  type SidebarFolder,
  type SidebarOfSource,
} from "./sidebar-source.js";

const MAX_DEPTH = 20;

/** `nav` of `mkdocs.yml` and the files `.pages` of its folders; null without any. */
export async function mkdocsSidebar(
  source: SidebarFolder,
  nav: unknown,
): Promise<SidebarOfSource | null> {
  const { folder, paths, root } = source;
  const pages = await readPagesFiles(source);
  if (Array.isArray(nav))
    return { file: "mkdocs.yml", items: navPlaces(nav, { folder, paths, pages }), notes: [] };
  if (pages.size > 0)
    return {
      file: [...pages.keys()][0]?.replace(/$/, "/.pages") ?? ".pages",
      items: folderPlaces(folder, paths, pages),
      notes: [],
    };
  // The plugin literate-nav.
  const summary = `${folder}/SUMMARY.md`;
  return paths.includes(summary) ? summarySidebar({ root, paths, folder }) : null;
}

/** The files that `nav` names. */
interface NavFiles extends Pick<SidebarFolder, "folder" | "paths"> {
  readonly pages: ReadonlyMap<string, PagesFile>;
}
/** The options of a folder, in `.pages`. */
interface PagesFile {
  readonly title: string | null;
  readonly nav: readonly unknown[] | null;
  readonly isHidden: boolean;
  readonly isReversed: boolean;
}

/** The files `.pages` by their folder. */
async function readPagesFiles({
  root,
  paths,
  folder,
}: SidebarFolder): Promise<Map<string, PagesFile>> {
  const folders = new Set([folder]);
  for (const path of paths) {
    for (
      let at = posix.dirname(path);
      at.startsWith(`${folder}/`) && !folders.has(at);
      at = posix.dirname(at)
    )
      folders.add(at);
  }
  const files = new Map<string, PagesFile>();
  for (const at of folders) {
    const text = await readConfigFile(root, posix.join(at, ".pages"));
    const { values } = readYaml(text);
    if (text === "" || !isRecord(values)) continue;
    const { title, nav, arrange, hide, order } = values;
    const list = Array.isArray(nav) ? nav : Array.isArray(arrange) ? [...arrange, "..."] : null;
    files.set(at, {
      title: typeof title === "string" ? title : null,
      nav: list,
      isHidden: hide === true,
      isReversed: order === "desc",
    });
  }
  return files;
}

/** The entries of a folder: those of its `.pages`, or its pages by name. */
function folderPlaces(
  folder: string,
  paths: readonly string[],
  pages: ReadonlyMap<string, PagesFile>,
  depth = 0,
): SidebarPlace[] {
  if (depth > MAX_DEPTH) return [];
  const options = pages.get(folder);
  const names = new Set(
    paths
      .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(".md"))
      .map((path) => path.slice(folder.length + 1).split("/")[0] ?? ""),
  );
  const order = [...names].toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  if (options?.isReversed === true) order.reverse();
  const place = (name: string): SidebarPlace[] => {
    const path = `${folder}/${name}`;
    if (name.endsWith(".md")) return [{ page: [fileKey(path)] }];
    const inner = pages.get(path);
    if (inner?.isHidden === true) return [];
    return [
      { title: inner?.title ?? toTitle(name), items: folderPlaces(path, paths, pages, depth + 1) },
    ];
  };
  const { nav } = options ?? { nav: null };
  if (nav === null) return order.flatMap(place);
  const named = namesIn(nav, 0);
  const rest = (): SidebarPlace[] => order.filter((name) => !named.has(name)).flatMap(place);
  const read = (item: unknown, at: number): SidebarPlace[] => {
    if (typeof item === "string") {
      if (/^\.\.\.(?:\s|$)/.test(item)) return rest();
      const name = item.replace(/\/$/, "");
      return names.has(name) ? place(name) : [{ page: [fileKey(posix.join(folder, name))] }];
    }
    if (!isRecord(item) || at > MAX_DEPTH) return [];
    return Object.entries(item).flatMap(([title, value]): SidebarPlace[] => {
      if (Array.isArray(value))
        return [{ title, items: value.flatMap((one: unknown) => read(one, at + 1)) }];
      if (typeof value !== "string") return [];
      if (isExternal(value)) return [{ title, url: value }];
      const [found] = read(value, at + 1);
      return found === undefined ? [] : [{ ...found, title }];
    });
  };
  return nav.flatMap((item) => read(item, 0));
}

/** The names of files and folders in a list. */
function namesIn(nav: readonly unknown[], depth: number): Set<string> {
  const names = nav.flatMap((item): string[] => {
    if (typeof item === "string") return [item.replace(/\/$/, "").split("/")[0] ?? ""];
    if (!isRecord(item) || depth > MAX_DEPTH) return [];
    return Object.values(item).flatMap((value) => [
      ...namesIn(Array.isArray(value) ? value : [value], depth + 1),
    ]);
  });
  return new Set(names);
}

function rank(name: string): number {
  return /^(?:index|readme)\.md$/i.test(name) ? 0 : 1;
}

function toTitle(name: string): string {
  const words = name.replaceAll(/[-_]+/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The entries of `nav`. A folder in it has the entries of its `.pages`, as plugins such as awesome-pages read it. */
function navPlaces(nav: readonly unknown[], files: NavFiles, depth = 0): SidebarPlace[] {
  const { folder, paths, pages } = files;
  const place = (value: unknown, title?: string): SidebarPlace[] => {
    const named = title === undefined ? {} : { title };
    if (Array.isArray(value))
      return [{ ...named, items: depth > MAX_DEPTH ? [] : navPlaces(value, files, depth + 1) }];
    if (typeof value !== "string") return [];
    if (isExternal(value)) return [{ title: title ?? value, url: value }];
    if (/^\.\.\.(?:\s|$)/.test(value)) return [{ folder, isRest: true }];
    if (/\.(?:md|markdown)(?:#|$)/i.test(value))
      return [{ ...named, page: pageNames(value, folder) }];
    const path = posix.join(folder, value.replace(/\*$/, "")).replace(/\/$/, "");
    const items = folderPlaces(path, paths, pages);
    return title === undefined ? items : [{ title, items }];
  };
  return nav.flatMap((item) =>
    isRecord(item)
      ? Object.entries(item).flatMap(([title, value]) => place(value, title))
      : place(item),
  );
}

const HEADING = /^ {0,3}#{1,6}[ \t]+(\S[^\n]*)$/;
const ITEM = /^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\S[^\n]*)$/;
const LINK =
  /\[((?:[^[\]\\]|\\.|\[[^[\]]*\]|!\[[^[\]]*\]\([^()]*\))*)\]\(([^()\s]*|<[^<>]*>)(?:[ \t]+["'][^"'\n]*["'])?(?:[ \t]+["'][^"'\n]*["'])?\)/;
/** The heading of the file itself. */
const TITLE = /^(?:summary|table of contents)$/i;
const RULE = /^ {0,3}(?:-[ \t]*){3,}$/;

/** `SUMMARY.md` of mdBook and GitBook; null without one. */
export async function summarySidebar({
  root,
  folder,
}: SidebarFolder): Promise<SidebarOfSource | null> {
  const file = posix.join(folder, "SUMMARY.md");
  const text = await readConfigFile(root, file);
  return text === "" ? null : { file, items: listPlaces(text, folder), notes: [] };
}

/** `_sidebar.md` of docsify; that of a folder has the entries below the one that leads to the folder. */
export async function docsifySidebar({
  root,
  paths,
  folder,
}: SidebarFolder): Promise<SidebarOfSource | null> {
  const files = paths.filter(
    (path) =>
      posix.basename(path) === "_sidebar.md" && (folder === "" || path.startsWith(`${folder}/`)),
  );
  const file = files.toSorted(
    (a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1),
  )[0];
  if (file === undefined) return null;
  const texts = new Map<string, string>();
  for (const one of files) texts.set(one, await readConfigFile(root, one));
  const items = listPlaces(texts.get(file) ?? "", folder).map((place): SidebarPlace => {
    const inner = place.page
      ?.map((name) => texts.get(`${name.replace(/^file:/, "")}/_sidebar.md`))
      .find((text) => text !== undefined);
    return inner === undefined || place.items !== undefined
      ? place
      : { ...place, items: listPlaces(inner, folder) };
  });
  return { file, items, notes: [] };
}

/** An entry of a list, with the entries below it. */
interface ListEntry {
  readonly indent: number;
  readonly place: Omit<SidebarPlace, "items">;
  readonly items: ListEntry[];
}

/** The entries of a nested list of links; a heading is a group of the entries after it, up to a rule. */
function listPlaces(text: string, folder: string): SidebarPlace[] {
  const top: ListEntry[] = [];
  let group = top;
  let open: ListEntry[] = [];
  for (const line of listLines(text)) {
    if (line.kind === "rule") [group, open] = [top, []];
    else {
      const { indent, text: content } = line;
      const entry: ListEntry = { indent, place: entryOf(content, folder), items: [] };
      if (line.kind === "heading") {
        top.push(entry);
        [group, open] = [entry.items, []];
        continue;
      }
      while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
      (open.at(-1)?.items ?? group).push(entry);
      if (open.length < MAX_DEPTH) open.push(entry);
    }
  }
  return toPlaces(top);
}

/** A line of a list that means something. */
interface ListLine {
  readonly kind: "heading" | "rule" | "item";
  readonly indent: number;
  readonly text: string;
}

function withoutComments(text: string): string {
  return replaceMarks(text, /<!--/g, ({ index }, find) => {
    const end = find(/-->/g, index)?.end;
    return end === undefined ? null : { text: "", end };
  });
}

function listLines(text: string): ListLine[] {
  const plain = withoutComments(text.replaceAll("\r\n", "\n"));
  const lines = plain.split("\n").flatMap((line): ListLine[] => {
    if (RULE.test(line)) return [{ kind: "rule", indent: 0, text: "" }];
    const heading = HEADING.exec(line)?.[1];
    if (heading !== undefined) return [{ kind: "heading", indent: -1, text: heading }];
    const [, space = "", item] = ITEM.exec(line) ?? [];
    const indent = space.replaceAll("\t", "    ").length;
    if (item !== undefined) return [{ kind: "item", indent, text: item }];
    const isLink = line.trim().startsWith("[") && LINK.test(line);
    return isLink ? [{ kind: "item", indent: 0, text: line.trim() }] : [];
  });
  const [first] = lines;
  const isTitle = first?.kind === "heading" && TITLE.test(plainTitle(first.text));
  return isTitle ? lines.slice(1) : lines;
}

function toPlaces(entries: readonly ListEntry[]): SidebarPlace[] {
  return entries.map(({ place, items }) =>
    items.length === 0 ? place : { ...place, items: toPlaces(items) },
  );
}

function entryOf(text: string, folder: string): Omit<SidebarPlace, "items"> {
  const [, label, target = ""] = LINK.exec(text) ?? [];
  if (label === undefined) return { title: plainTitle(text) };
  const link = target.replaceAll(/^<|>$/g, "");
  const title = plainTitle(label.replaceAll(/\\(?=[^\w\s])/g, ""));
  if (link === "") return { title };
  return { title, ...linkTo(decoded(link), folder) };
}

function decoded(link: string): string {
  try {
    return isExternal(link) ? link : decodeURIComponent(link);
  } catch {
    return link;
  }
}
