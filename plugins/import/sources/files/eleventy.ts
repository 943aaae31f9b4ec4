/** Eleventy: the folder of a site, with Markdown in any folder. */
import { posix } from "node:path";
import { isRecord } from "#kernel";
import { parseDate, listOf, parsePosition, text } from "./front-matter.js";
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
import { liquidText } from "./liquid-text.js";

const IGNORED =
  /(?:^|\/)(?:_site|_includes|_layouts|_data|node_modules|dist|test)\/|^(?:README|LICENSE|CONTRIBUTING|CHANGELOG|CODE_OF_CONDUCT)[^/]*$|\.(?:njk|liquid|hbs|ejs|css|scss|js|cjs|mjs|ts|html?|ya?ml|lock|toml|webc)$|(?:^|\/)[^/]*(?:11tydata|package|package-lock|vercel|manifest)[^/]*\.json$|^[^/]+\.json$/i;
const POSTS: ReadonlySet<string> = new Set(["posts", "post", "blog", "articles", "news"]);
const ROOTS = ["src", "content", "input", "site"];

/** The source `eleventy`. */
export const eleventy = folderSource("the folder of a site", ({ paths }) => {
  const input =
    ROOTS.find((root) => paths.some((path) => isIn(path, root) && path.endsWith(".md"))) ?? "";
  const below = (path: string): string => (input === "" ? path : path.slice(input.length + 1));
  const rules: FolderRules = {
    answersAtFolders: true,
    extensions: [".md"],
    isIgnored: (path) =>
      IGNORED.test(path) || (input !== "" && !isIn(path, input) && !isIn(path, "public")),
    isPage: (path) => path.endsWith(".md"),
    place: (page) => place(page, below(page.path)),
    addressOf: (path) =>
      toAddress(isIn(path, "public") ? path.slice("public/".length) : below(path)),
    transform: (body) => liquidText(body),
  };
  return Promise.resolve(rules);
});

function place({ data }: PageFile, path: string): PlacedPage {
  const bare = pathOfPage(path);
  const { date, rest } = splitDate(posix.basename(bare));
  const folder = posix.dirname(bare);
  const old = toAddress(posix.join(folder, rest));
  const route = readPermalink(data) ?? old;
  const isPost = isPostIn(folder, data);
  const navigation = isRecord(data["eleventyNavigation"]) ? data["eleventyNavigation"] : {};
  const label = text(navigation["title"]) ?? text(navigation["key"]);
  return {
    route,
    addresses: [route, old],
    template: isPost ? "post" : "default",
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

/** The fixed address of a page; null without one, and for one that is computed. */
function readPermalink(data: PageFile["data"]): string | null {
  const permalink = text(data["permalink"]);
  if (permalink === null || /\{[{%]/.test(permalink)) return null;
  return toAddress(permalink.replace(/(?:index)?\.html$/, ""));
}
