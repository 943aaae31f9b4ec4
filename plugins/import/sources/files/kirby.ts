/** Kirby: the folder of a site, or its `content/`. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import type { Translation } from "../../contract.js";
import { fileKey } from "../../plan/address-key.js";
import { readConfigFile } from "../source-files.js";
import { readYaml } from "#lib/yaml";
import { unreadKeys } from "./beside-content.js";
import { parseDate, parsePosition, text, parseWords, yamlValues } from "./front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  toAddress,
} from "./folder-source.js";
import { kirbyText } from "./kirby-text.js";

const NUMBER = /^(\d{1,14})_(.+)$/;
const POSTS: ReadonlySet<string> = new Set(["article", "post", "note", "blogpost", "entry"]);
const SUMMARIES = ["summary", "intro", "excerpt", "description", "subheading"];
const TEXTS = ["text", "body", "content", "layout"];
const READ: ReadonlySet<string> = new Set([
  ...SUMMARIES,
  ...TEXTS,
  "title",
  "date",
  "published",
  "tags",
  "category",
  "categories",
  "author",
  "cover",
  "uuid",
  "slug",
]);

/** The source `kirby`. */
export const kirby = folderSource(
  "the folder of a site, or its content/",
  async ({ root: folder, paths }) => {
    const root = paths.some((path) => path.startsWith("content/")) ? "content" : "";
    const below = (path: string): string => (root === "" ? path : path.slice(root.length + 1));
    const files = new Set(paths);
    const isMeta = (path: string): boolean => fileOfMeta(path, files) !== null;
    const described = await readMeta(folder, files);
    const languages = await readLanguages(folder, paths);
    const facts = await readFacts(folder, root, languages);
    const rules: FolderRules = {
      extensions: [".txt"],
      isIgnored: (path) => root !== "" && !path.startsWith(`${root}/`),
      site: facts.site,
      unread: facts.unread,
      lostPage: (path) =>
        SITE.test(below(path))
          ? "a translation of the text of the site, which has no counterpart"
          : null,
      isRead: (path) =>
        isMeta(path) || path === facts.file || /^site\/languages\/[\w-]+\.php$/.test(path),
      isPage: (path) => path.endsWith(".txt"),
      read: (source) => parseFields(source),
      place: (page) => place(page, below(page.path), languages),
      addressOf: (path) => toAddress(below(path).split("/").map(withoutNumber).join("/")),
      isFolderPage: true,
      namesOf: (path) => described.get(path)?.names ?? [],
      metaOf: (path) => described.get(path)?.meta ?? {},
      transform: (body) => kirbyText(body),
    };
    return rules;
  },
);

/** What `site.txt`, or that of a language, says about the site. */
const SITE = /^site(?:\.[a-z]{2,3})?\.txt$/;

/** Facts about the site, and the file that they are in. */
interface SiteFacts extends Required<Pick<FolderRules, "site" | "unread">> {
  readonly file: string;
}

/** Title, tagline and logo, in the main language. */
async function readFacts(folder: string, root: string, languages: Languages): Promise<SiteFacts> {
  const file = mainFile(posix.join(root, "site.txt"), languages);
  const { data } = parseFields(await readConfigFile(folder, file));
  const [tagline, logo] = [text(data["tagline"]), text(data["logo"])];
  return {
    file,
    site: {
      title: text(data["title"]),
      description: tagline ?? text(data["description"]),
      logo: logo === null ? null : parseCover(logo),
    },
    unread: unreadKeys({
      file,
      data,
      read: ["title", "logo", "uuid", tagline === null ? "description" : "tagline"],
    }),
  };
}

/** The file that a text file describes: `photo.jpg.txt`, `photo.jpg.de.txt`; null for a page. */
function fileOfMeta(path: string, files: ReadonlySet<string>): string | null {
  if (!path.endsWith(".txt")) return null;
  const names = [path.replace(/\.txt$/, ""), path.replace(/\.[a-z]{2,3}\.txt$/, "")];
  return names.find((name) => name !== path && files.has(name)) ?? null;
}

/** What a text file says of the file that it describes. */
interface FileMeta {
  /** `file://` and its id, by which fields name it. */
  readonly names: readonly string[];
  /** Its sidecar here. */
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What is said of each file that has a description; translations of it are left out. */
async function readMeta(
  root: string,
  files: ReadonlySet<string>,
): Promise<ReadonlyMap<string, FileMeta>> {
  const described = new Map<string, FileMeta>();
  for (const path of files) {
    const file = fileOfMeta(path, files);
    if (file === null || (described.has(file) && path !== `${file}.txt`)) continue;
    const {
      uuid,
      template: _,
      sort: _sort,
      focus,
      ...meta
    } = parseFields(await readConfigFile(root, path)).data;
    const id = text(uuid);
    const point = /^([\d.]+)%[, ]+([\d.]+)%$/.exec(text(focus) ?? "");
    const focal = point === null ? {} : { focal_point: [Number(point[1]), Number(point[2])] };
    const names = id === null ? [] : [`file://${id}`];
    described.set(file, { names, meta: { ...meta, ...focal } });
  }
  return described;
}

/** `Title: Hello`, then `----` between fields. */
function parseFields(source: string): { data: Record<string, unknown>; body: string } {
  const data: Record<string, unknown> = {};
  for (const part of source
    .replace(/^\uFEFF/, "")
    .replaceAll("\r\n", "\n")
    .split(/\n----[ \t]*(?:\n|$)/)) {
    const [, name, value] = /^\s*([\w -]{1,60}):[ \t]*([^]*)$/.exec(part) ?? [];
    // A line of dashes in a field is escaped.
    if (name !== undefined && value !== undefined)
      data[name.trim().toLowerCase().replaceAll(/[ -]/g, "_")] = value
        .trim()
        .replaceAll(/^\\----/gm, "----");
  }
  for (const [name, value] of Object.entries(data)) {
    const list = typeof value === "string" && !TEXTS.includes(name) ? parseStructure(value) : null;
    if (list !== null) data[name] = list;
  }
  if (typeof data["cover"] === "string") data["cover"] = parseCover(data["cover"]);
  const body = TEXTS.map((name) => data[name]).find((one) => typeof one === "string" && one !== "");
  return { data, body: typeof body === "string" ? body : "" };
}

/** A field with a list of entries, `-` and the fields of each; null for any other field. */
function parseStructure(value: string): Record<string, unknown>[] | null {
  if (!/^-[ \t]*(?:\n|[\w-]+:)/.test(value)) return null;
  const parsed = readYaml(value);
  const list = parsed.mistake === null ? yamlValues(parsed) : null;
  return Array.isArray(list) && list.length > 0 && list.every(isRecord) ? list : null;
}

/** The first file of a list in a field: `- file://id`, `- "photo.jpg"`; empty without one. */
function parseCover(value: string): string {
  const [first = ""] = value.split("\n");
  return first
    .replace(/^-\s*/, "")
    .replace(/^\[\s*\]$/, "")
    .replaceAll(/^["']|["']$/g, "");
}

function place({ data, path: file }: PageFile, path: string, languages: Languages): PlacedPage {
  const parts = posix
    .dirname(path)
    .split("/")
    .filter((part) => part !== ".");
  const shown = parts.filter((part) => part !== "_drafts").map(withoutNumber);
  const route = toAddress(shown.join("/"));
  const number = NUMBER.exec(parts.at(-1) ?? "")?.[1] ?? null;
  const date = parseDate(data["date"] ?? data["published"]) ?? parseDay(number);
  const translation = findTranslation(file, languages);
  return {
    route: route === "/home" ? "/" : ownRoute(route, data, translation),
    template: pickTemplate(posix.basename(path).replace(/\..*$/, ""), date),
    position: date === null ? parsePosition(number) : null,
    ...(translation !== null && { translation }),
    addresses: [
      ...addressesOf(route, data, translation),
      ...(text(data["uuid"]) === null ? [] : [`page://${text(data["uuid"])}`]),
    ],
    matter: {
      ...toFrontMatter(data),
      date,
      ...(parts.includes("_drafts") && { status: "draft" }),
    },
  };
}

/** By the end of the name: `article.de.txt`; null in the main language. */
function findTranslation(file: string, languages: Languages): Translation | null {
  const lang = /\.([a-z]{2,3})\.txt$/.exec(file)?.[1];
  if (lang === undefined || lang === languages.main) return null;
  return { lang, of: fileKey(mainFile(file, languages)) };
}

/** The main language of the site, and all files. */
interface Languages {
  readonly main: string | null;
  readonly paths: ReadonlySet<string>;
}

/** From `site/languages/`; without that, English or the first one that files have. */
async function readLanguages(root: string, paths: readonly string[]): Promise<Languages> {
  const files = new Set(paths);
  for (const path of paths.filter((one) => /^site\/languages\/[\w-]+\.php$/.test(one))) {
    const source = await readConfigFile(root, path);
    const code = /['"]code['"]\s*=>\s*['"]([\w-]+)['"]/.exec(source)?.[1];
    if (/['"]default['"]\s*=>\s*true/.test(source)) return { main: code ?? null, paths: files };
  }
  const codes = paths.flatMap((path) => /\.([a-z]{2,3})\.txt$/.exec(path)?.[1] ?? []);
  return { main: codes.includes("en") ? "en" : (codes[0] ?? null), paths: files };
}

/** `article.de.txt` or `article.txt` to `article.en.txt`, or to `article.txt` without that. */
function mainFile(file: string, { main, paths }: Languages): string {
  const bare = file.replace(/(?:\.[a-z]{2,3})?\.txt$/, "");
  return paths.has(`${bare}.${main}.txt`) ? `${bare}.${main}.txt` : `${bare}.txt`;
}

/** The route with the name that a translation gives the page. */
function ownRoute(route: string, data: PageFile["data"], translation: Translation | null): string {
  const slug = translation === null ? null : text(data["slug"]);
  return slug === null ? route : posix.join(posix.dirname(route), slug);
}

/** With the prefix of the language, and by the name that a translation gives the page. */
function addressesOf(
  route: string,
  data: PageFile["data"],
  translation: Translation | null,
): string[] {
  if (translation === null) return [route];
  const routes = new Set([route, ownRoute(route, data, translation)]);
  return [...routes].map((address) => toAddress(`/${translation.lang}${address}`));
}

function pickTemplate(name: string, date: string | null): string {
  if (POSTS.has(name) || date !== null) return "post";
  return name === "blog" || name === "notes" ? "blog" : "default";
}

function toFrontMatter(data: PageFile["data"]): Record<string, unknown> {
  const custom = Object.entries(data).filter(
    ([name, value]) => !READ.has(name) && !isRecord(value),
  );
  return {
    title: text(data["title"]),
    summary: SUMMARIES.map((name) => text(data[name])).find(
      (one) => one !== null && one.length <= 1_000,
    ),
    taxonomy: {
      tag: parseWords(data["tags"]),
      category: parseWords(data["category"] ?? data["categories"]),
    },
    image: parseFileName(data["cover"]),
    custom: Object.fromEntries(custom),
  };
}

/** `20200501` in front of a folder is a day. */
function parseDay(number: string | null): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})(?:\d{4})?$/.exec(number ?? "") ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

function withoutNumber(part: string): string {
  return NUMBER.exec(part)?.[2] ?? part;
}

/** A file in a field: `- photo.jpg`. */
function parseFileName(value: unknown): string | null {
  return typeof value === "string"
    ? (/^-?\s*([^\s/]+\.\w{2,5})$/.exec(value.trim())?.[1] ?? null)
    : null;
}
