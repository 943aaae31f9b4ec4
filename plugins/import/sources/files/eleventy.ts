/** Eleventy: the folder of a site, with Markdown in any folder. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { toSlug } from "../../plan/safe-name.js";
import type { ImportItem } from "../../contract.js";
import { feedRedirect } from "../old-lists.js";
import { readConfigFile } from "../source-files.js";
import { readScript } from "../sidebar/script-data.js";
import {
  listOf,
  parseDate,
  parseJsonMap,
  parsePosition,
  parseYamlMap,
  text,
} from "./front-matter.js";
import {
  folderSource,
  type FolderRules,
  type PageFile,
  type PlacedPage,
  isIn,
  pathOfPage,
  splitDate,
  toAddress,
} from "./folder-source.js";
import { liquidMarks } from "../includes/include-marks.js";
import { dedented, replaceMarks } from "#lib/text";
import { fencedCode } from "../../text/hidden-code.js";
import { liquidText, withoutRawMarks } from "../../text/liquid-text.js";

const IGNORED =
  /(?:^|\/)(?:_site|_includes|_layouts|_data|node_modules|dist|test)\/|^(?:README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)[^/]*$|\.(?:css|scss|js|cjs|mjs|ts|ya?ml|lock|toml)$|(?:^|\/)[^/]*(?:11tydata|package|package-lock|vercel|manifest)[^/]*\.json$|^[^/]+\.json$/i;
const TEMPLATE = /\.(njk|liquid|hbs|ejs|html?|webc|pug|haml|mustache|11ty\.[cm]?[jt]s)$/i;
/** Templates whose text can be read when no tag in them makes it. */
const READABLE = /\.(?:njk|liquid|html?|webc)$/i;
const WEBC = /\.webc$/i;
const MAKES_WEBC = /\swebc:(?:for|if)\b/;
/** Tags and values by which a template makes a page from others. */
const MAKES =
  /\{%-?\s*(?:for|if|unless|case|include|render|macro|call|asyncEach|asyncAll)\b|\{\{-?\s*(?:collections|pagination|content)\b/;
const DATA = /\.json$/;
const FEED = /\boutputPath:\s*["'`](\/[\w./-]{1,200}\.(?:xml|json|rss|atom))["'`]/g;
const POSTS: ReadonlySet<string> = new Set(["posts", "post", "blog", "articles", "news"]);
const ROOTS = ["src", "content", "input", "site"];

/** The source `eleventy`. */
export const eleventy = folderSource("the folder of a site", async ({ root, paths }) => {
  const input =
    ROOTS.find((root) => paths.some((path) => isIn(path, root) && path.endsWith(".md"))) ?? "";
  const below = (path: string): string => (input === "" ? path : path.slice(input.length + 1));
  const defaults = await readDataFiles(root, paths);
  const globals = await readGlobals(root, paths, input);
  const feeds = await readFeeds(root);
  const isPage = (path: string): boolean =>
    path.endsWith(".md") || (READABLE.test(path) && !isIn(path, "public"));
  const rules: FolderRules = {
    answersAtFolders: true,
    // Eleventy takes the path of a file for its address.
    linkRoots: [...(input === "" ? [] : [input]), "public"],
    lostPage: (path) =>
      isIn(path, "public") || isPage(path) || !TEMPLATE.test(path) ? null : madeBy(path),
    lostAddresses: (page) => place(page, below(page.path).replace(TEMPLATE, "")).addresses,
    defaultsOf: (path) => dataOf(path, defaults),
    extensions: [".md"],
    isIgnored: (path) =>
      IGNORED.test(path) || (input !== "" && !isIn(path, input) && !isIn(path, "public")),
    isRead: (path) => defaults.has(path),
    isPage,
    place: (page) =>
      isTemplate(page) ? { reason: madeBy(page.path) } : place(page, below(page.path)),
    addressOf: (path) =>
      toAddress(isIn(path, "public") ? path.slice("public/".length) : below(path)),
    includes: liquidMarks([posix.join(input, "_includes"), "_includes"]),
    transform: (body, { data, path }) => {
      const source = withoutRawMarks(WEBC.test(path) ? webcText(body) : body);
      const { text, notes } = liquidText(source, { ...globals, ...data });
      return { text, notes: [...templateNote(path), ...notes] };
    },
    extra: () => feeds,
  };
  return rules;
});

/** What the report says of a page that is read from a template. */
function templateNote(path: string): string[] {
  const kind = /\.(njk|liquid|webc)$/i.exec(path)?.[1];
  return kind === undefined
    ? []
    : [`a page in a template (.${kind}), which is not run: its text is taken as it stands`];
}

/** Front matter in JavaScript, which is not run; scripts and styles; blocks in another language. */
const SCRIPTED = /^---js[ \t]*\n[^]*?\n---[ \t]*\n/;
const HEADLESS = /<(script|style)\b[^<>]{0,500}>/gi;
const BLOCK = /<(template)\b[^<>]{0,500}>/gi;
const CODE = /<(syntax-highlight)\b([^<>]{0,500})>/gi;
const LANGUAGE = /\blanguage=["']([\w+#-]{1,40})["']/;
const TITLE = /^\s*<h1\b[^<>]*>([^<>\n]{1,300})<\/h1>/i;

/** A template of WebC as Markdown with HTML. */
function webcText(body: string): string {
  const bare = replaceElements(body.replace(SCRIPTED, ""), HEADLESS, () => "");
  const blocks = replaceElements(
    bare,
    BLOCK,
    ({ inner }) => `\n\n${dedented(inner.split("\n")).join("\n").trim()}\n\n`,
  );
  const codes = replaceElements(blocks, CODE, ({ attributes, inner }) => {
    const language = LANGUAGE.exec(attributes)?.[1] ?? "";
    return `\n\n${fencedCode(language, inner.replace(/^\n/, "").trimEnd())}\n\n`;
  });
  return codes.replace(TITLE, (_, title: string) => `# ${title.trim()}\n`);
}

/** Replaces elements whose opening tag a pattern finds, with their name and perhaps attributes in groups. */
function replaceElements(
  text: string,
  opening: RegExp,
  replace: (element: { attributes: string; inner: string }) => string,
): string {
  return replaceMarks(
    text,
    opening,
    ({ index, 0: head, 1: name = "", 2: attributes = "" }, find) => {
      const from = index + head.length;
      const end = find(new RegExp(`</${name}\\s*>`, "gi"), from);
      if (end === null) return null;
      return { text: replace({ attributes, inner: text.slice(from, end.start) }), end: end.end };
    },
  );
}

function madeBy(path: string): string {
  return `a page that a template makes (.${TEMPLATE.exec(path)?.[1]})`;
}

/** True for a template that makes its page from others, or a file that is no page. */
function isTemplate({ path, data, body }: PageFile): boolean {
  if (!READABLE.test(path)) return false;
  const permalink = data["permalink"];
  const isFile = typeof permalink === "string" && /\.(?!html?$)\w{1,10}$/.test(permalink);
  return (
    (WEBC.test(path) ? MAKES_WEBC : MAKES).test(body) ||
    isFile ||
    permalink === false ||
    data["pagination"] !== undefined
  );
}

/** The path of a page; one with the name of its folder is the page of the folder. */
function pagePath(path: string): string {
  const bare = pathOfPage(path.replace(TEMPLATE, ""));
  const folder = posix.dirname(bare);
  return posix.basename(folder) === splitDate(posix.basename(bare)).rest ? folder : bare;
}

function place({ data, path: file }: PageFile, path: string): PlacedPage {
  const bare = pagePath(path);
  const { date, rest } = splitDate(posix.basename(bare));
  const folder = posix.dirname(bare);
  const old = toAddress(posix.join(folder, rest));
  const route = readPermalink(data, rest) ?? old;
  const isPost = isPostIn(folder, data);
  const navigation = isRecord(data["eleventyNavigation"]) ? data["eleventyNavigation"] : {};
  const label = text(navigation["title"]) ?? text(navigation["key"]);
  return {
    route,
    addresses: [route, old],
    template: isPost ? "post" : "default",
    format: READABLE.test(file) && !WEBC.test(file) ? "html" : "markdown",
    position: parsePosition(navigation["order"], data["order"]) || null,
    matter: {
      ...(isPost && { date: parseDate(data["date"]) ?? date }),
      ...(label !== null && { nav_title: label }),
    },
  };
}

/** True for pages in a folder of posts, or with a tag of that name. */
function isPostIn(folder: string, data: PageFile["data"]): boolean {
  const names = [folder.split("/").at(-1) ?? "", ...listOf(data["tags"])];
  return names.some((name) => POSTS.has(name));
}

/** The address that front matter gives a page; null without one, and for one that code computes. */
function readPermalink(data: PageFile["data"], fileSlug: string): string | null {
  const permalink = text(data["permalink"])
    ?.replaceAll(/\{\{-?\s*page\.fileSlug\s*-?\}\}/g, fileSlug)
    .replaceAll(
      /\{\{-?\s*title\s*\|\s*slug(?:ify)?\s*-?\}\}/g,
      toSlug(text(data["title"]) ?? fileSlug),
    );
  if (permalink === undefined || /\{[{%]/.test(permalink)) return null;
  return toAddress(permalink.replace(/(?:index)?\.html$/, ""));
}

/** The feeds that the configuration names, `outputPath: "/blog/feed.xml"`. */
async function readFeeds(root: string): Promise<ImportItem[]> {
  const names = ["eleventy.config", ".eleventy"].flatMap((name) =>
    ["js", "mjs", "cjs", "ts", "mts"].map((ending) => `${name}.${ending}`),
  );
  for (const file of names) {
    const source = await readConfigFile(root, file);
    if (source === "") continue;
    return [...source.matchAll(FEED)].map(([, from = ""]) => feedRedirect(from, { file }));
  }
  return [];
}

/** The data files of folders and pages, `posts/posts.json` and `one.11tydata.json`, by their paths. */
async function readDataFiles(
  root: string,
  paths: readonly string[],
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const pages = new Set(paths.filter((path) => path.endsWith(".md")));
  const files = new Map<string, Readonly<Record<string, unknown>>>();
  for (const path of paths.filter((one) => DATA.test(one))) {
    const stem = path.replace(/(?:\.11tydata)?\.json$/, "");
    const isOfFolder = posix.basename(stem) === posix.basename(posix.dirname(path));
    if (!isOfFolder && !pages.has(`${stem}.md`)) continue;
    const parsed = parseJsonMap(await readConfigFile(root, path));
    if ("data" in parsed) files.set(path, parsed.data);
  }
  return files;
}

const GLOBAL = /^_data\/([\w-]+)\.(?:json|ya?ml|[cm]?js)$/;
const SCRIPT = /\.[cm]?js$/;

/** The values of the files in `_data/`, by their names; what a script computes is left out. */
async function readGlobals(
  root: string,
  paths: readonly string[],
  input: string,
): Promise<Readonly<Record<string, unknown>>> {
  const values: Record<string, unknown> = {};
  for (const path of paths) {
    const below = isIn(path, input) ? path.slice(input.length + 1) : path;
    const name = GLOBAL.exec(below)?.[1];
    if (name === undefined || Object.hasOwn(values, name)) continue;
    if (SCRIPT.test(path)) {
      const script = await readScript(root, path);
      if (script !== null && "exports" in script) values[name] = script.exports["default"];
    } else {
      const source = await readConfigFile(root, path);
      const parsed = path.endsWith(".json") ? parseJsonMap(source) : parseYamlMap(source);
      if ("data" in parsed) values[name] = parsed.data;
    }
  }
  return values;
}

/** The data of the folders above a page, then its own. */
function dataOf(
  path: string,
  files: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): Record<string, unknown> {
  const parts = posix.dirname(path).split("/");
  const folders = parts.map((name, at) => [...parts.slice(0, at + 1), name].join("/"));
  const data: Record<string, unknown> = {};
  for (const stem of [...folders, path.replace(/\.md$/, "")]) {
    for (const ending of [".json", ".11tydata.json"]) Object.assign(data, files.get(stem + ending));
  }
  return data;
}
