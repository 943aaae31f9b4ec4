/** Paths of new pages, as the naming of their page types says. */
import { HttpError } from "#kernel";
import { splitOrder, withoutOrders } from "#lib/text";
import type { ContentIndex } from "../index/content-index.js";
import { folderOf } from "../read/source-name.js";
import type { Blueprint, NewPage, PageEntry } from "../contract.js";
import { isFolderPage } from "./relations.js";

const MAX_SEGMENT = 80;
/** Pages of one name beside each other. */
const MAX_TAKEN = 1_000;

/** The index, page type and day that a new path depends on. */
export interface NewPathContext {
  readonly index: ContentIndex;
  readonly lang: string;
  readonly blueprint: Blueprint | undefined;
  /** `YYYY-MM-DD` in the time zone of the site. */
  readonly today: string;
}

/** A free path for a new page. @throws HttpError 400 for a parent that does not exist, or no name. */
export function newPath(
  { parent, template, frontmatter }: NewPage,
  { index, lang, blueprint, today }: NewPathContext,
): string {
  const above = parent === "/" ? null : index.at(parent, lang);
  if (above === undefined)
    throw new HttpError(400, `parent: there is no page at ${JSON.stringify(parent)}`);
  const naming = blueprint?.naming ?? { slug: "title", prefix: "none" };
  const slug = segmentOf(frontmatter[naming.slug]);
  if (slug === "") {
    const message = `${naming.slug} is needed: the page's address is made from it`;
    const validationErrors = [{ field: naming.slug, message: `${naming.slug} is required.` }];
    throw new HttpError(422, message, { validationErrors });
  }
  const folder = above === null ? "" : folderFor(above);
  const siblings = namesIn(index, folder);
  const taken = new Set(siblings.map((name) => withoutOrders(name)));
  const prefix = prefixOf(naming.prefix, frontmatter["date"], today, siblings);
  for (let at = 1; at <= MAX_TAKEN; at += 1) {
    const name = at === 1 ? slug : `${slug}-${at}`;
    if (!taken.has(name))
      return [folder, prefix + name, `${template}.md`].filter(Boolean).join("/");
  }
  throw new HttpError(409, `there are too many pages named ${JSON.stringify(slug)}`);
}

/** `Ein Haus am Fluß!` as `ein-haus-am-fluß`. */
function segmentOf(value: unknown): string {
  if (typeof value !== "string" && typeof value !== "number") return "";
  const words = String(value)
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
  return Array.from(words)
    .slice(0, MAX_SEGMENT)
    .join("")
    .replace(/^-+|-+$/g, "");
}

function folderFor(entry: PageEntry): string {
  return isFolderPage(entry) ? entry.folder : entry.sourcePath.replace(/(?:\.[a-z-]+)?\.\w+$/i, "");
}

/** Names of the files and folders directly in a folder that have pages. */
function namesIn({ entries }: ContentIndex, folder: string): readonly string[] {
  const start = folder === "" ? "" : `${folder}/`;
  const names = entries.flatMap(({ sourcePath }) => {
    if (!sourcePath.startsWith(start)) return [];
    const rest = sourcePath.slice(start.length);
    return [folderOf(rest) === "" ? rest.replace(/\.\w+$/, "") : (rest.split("/", 1)[0] ?? "")];
  });
  return [...new Set(names)];
}

function prefixOf(
  kind: "none" | "number" | "date",
  date: unknown,
  today: string,
  siblings: readonly string[],
): string {
  if (kind === "none") return "";
  if (kind === "date") {
    const given = typeof date === "string" ? /^\d{4}-\d{2}-\d{2}/.exec(date)?.[0] : undefined;
    return `${(given ?? today).replaceAll("-", "")}.`;
  }
  const numbers = siblings.map((name) => splitOrder(name).order ?? 0);
  return `${String(Math.max(0, ...numbers) + 1).padStart(2, "0")}.`;
}
