/** Hugo: the folder of a site, with `content/` and `static/`. */
import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { parse } from "smol-toml";
import { isRecord } from "#kernel";
import { listOf, positionOf, text } from "./common-matter.js";
import { folderSource, type FolderRules, type PageFile, type PlacedPage } from "./folder-source.js";
import { hugoText } from "./hugo-text.js";
import { isIn, pathOfPage, toAddress } from "./paths.js";
import { parseYamlMap } from "./read-matter.js";

const CONFIGS = ["hugo", "config", "config/_default/hugo", "config/_default/config"];
const FORMATS = [".toml", ".yaml", ".yml", ".json"];
/** Sections of articles with a date. */
const POSTS: ReadonlySet<string> = new Set([
  "post",
  "posts",
  "blog",
  "news",
  "article",
  "articles",
]);
const IGNORED =
  /^(?:public|resources|themes|layouts|archetypes|data|i18n|config|node_modules)\/|^[^/]+$/;

/** The source `hugo`. */
export const hugo = folderSource(
  "the folder of a site, with content/ and static/",
  async ({ root, paths }) => {
    const { baseURL } = await configOf(root);
    const url = typeof baseURL === "string" && URL.canParse(baseURL) ? new URL(baseURL) : null;
    const rules: FolderRules = {
      hosts: url === null ? [] : [url.hostname],
      extensions: [".md", ".markdown"],
      isIgnored: (path) =>
        IGNORED.test(path) ||
        (!isIn(path, "content") && !isIn(path, "static") && !isIn(path, "assets")),
      isPage: (path) => isIn(path, "content") && /\.(?:md|markdown)$/.test(path),
      place: (page) => place(page, paths),
      addressOf: (path) => {
        if (isIn(path, "static")) return toAddress(path.slice("static/".length));
        return isIn(path, "content") ? toAddress(path.slice("content/".length)) : null;
      },
      transform: (body) => hugoText(body),
    };
    return rules;
  },
);

function place(
  { path, data }: PageFile,
  paths: readonly string[],
): PlacedPage | { reason: string } {
  const own = path.slice("content/".length);
  const language = /\.([a-z]{2}(?:-[a-z]{2})?)\.(?:md|markdown)$/.exec(own)?.[1];
  const bare = language === undefined ? own : own.replace(`.${language}.`, ".");
  if (language !== undefined && paths.some((one) => one === `content/${bare}`)) {
    return { reason: `translation ${JSON.stringify(language)} of ${bare}` };
  }
  const route = routeOf(bare, data);
  const aliases = listOf(data["aliases"]).map((alias) =>
    toAddress(alias.startsWith("/") ? alias : posix.join(posix.dirname(route), alias)),
  );
  return {
    ...{ route, template: templateOf(bare), position: positionOf(data["weight"]) || null },
    addresses: [route, ...listOf(data["url"]), ...aliases],
  };
}

function templateOf(path: string): string {
  const [section = "", ...rest] = path.split("/");
  if (!POSTS.has(section) || rest.length === 0) return "default";
  if (!rest.at(-1)?.startsWith("_index.")) return "post";
  return rest.length === 1 ? "blog" : "default";
}

function routeOf(path: string, data: PageFile["data"]): string {
  const url = text(data["url"]);
  if (url?.startsWith("/") === true) return toAddress(url.replace(/\.html$/, ""));
  const slug = text(data["slug"]);
  const address = toAddress(pathOfPage(path).toLowerCase().replaceAll(" ", "-"));
  return slug === null || address === "/" ? address : posix.join(posix.dirname(address), slug);
}

async function configOf(root: string): Promise<Record<string, unknown>> {
  for (const name of CONFIGS.flatMap((one) => FORMATS.map((format) => one + format))) {
    const source = await readFile(join(root, name), "utf8").catch(() => null);
    if (source === null) continue;
    try {
      const data: unknown = name.endsWith(".toml")
        ? parse(source)
        : name.endsWith(".json")
          ? JSON.parse(source)
          : parseYamlMap(source);
      const map = isRecord(data) && "data" in data && !name.endsWith(".toml") ? data["data"] : data;
      return isRecord(map) ? map : {};
    } catch {
      return {};
    }
  }
  return {};
}
