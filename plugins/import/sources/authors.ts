/** Authors of other systems: their names in posts, and a page for each of whom more is known. */
import { isRecord } from "#kernel";
import type { ImportedPage, Origin } from "../contract.js";

/** An author of a source. */
export interface SourceAuthor {
  readonly name: string;
  /** A sentence or more about the author; empty without one. */
  readonly bio: string;
  /** The link of the source to a picture; empty without one. */
  readonly image: string;
}

/** Authors by the key with which posts name them. */
export type AuthorTable = ReadonlyMap<string, SourceAuthor>;

const NAMES = ["name", "fullname", "display_name", "title"];
const BIOS = ["bio", "description", "about", "summary", "title"];
const IMAGES = [
  "image_url",
  "imageURL",
  "avatar",
  "image",
  "picture",
  "photo",
  "profile_image",
  "gravatar",
];

/** An author from the values of a file; null for one without a name. */
export function toAuthor(values: unknown, key = ""): SourceAuthor | null {
  if (typeof values === "string") return { name: values.trim() || key, bio: "", image: "" };
  if (!isRecord(values)) return null;
  const pick = (keys: readonly string[]): string =>
    keys
      .map((one) => values[one])
      .find((one): one is string => typeof one === "string" && one.trim() !== "") ?? "";
  const name = pick(NAMES).trim() || key;
  const bio = pick(BIOS).replaceAll(/\s+/g, " ").trim();
  return name === "" ? null : { name, bio: bio === name ? "" : bio, image: pick(IMAGES).trim() };
}

/** The authors of a post from its front matter: one name, a list, keys of a table, maps; null for none. */
export function authorNames(value: unknown, table: AuthorTable): string | string[] | null {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  const names = list.flatMap((one) => {
    if (isRecord(one)) {
      const key = typeof one["key"] === "string" ? one["key"] : "";
      return table.get(key)?.name ?? toAuthor(one, key)?.name ?? [];
    }
    if (typeof one !== "string" && typeof one !== "number") return [];
    // Lists in fields of Kirby are lines: `- user://id`.
    return String(one)
      .split(/\n/)
      .map((line) =>
        line
          .trim()
          .replace(/^- +/, "")
          .replace(/^user:\/\//, ""),
      )
      .map((key) => table.get(key)?.name ?? plainName(key));
  });
  const unique = [...new Set(names)].filter((name) => name !== "");
  return unique.length > 1 ? unique : (unique[0] ?? null);
}

/** The name of an author that is written as a link, `[Ann](https://ann.example)`. */
function plainName(name: string): string {
  return name.replaceAll(/\[([^[\]]{1,200})\]\([^()]{0,500}\)/g, "$1");
}

/** Whether an author has more than a name: then a page shows it. */
export function hasPage({ bio, image }: SourceAuthor): boolean {
  return bio !== "" || image !== "";
}

/** The address of an author in the new site: the page, else the list of articles. */
export function authorAddress(author: SourceAuthor): string {
  return `${hasPage(author) ? "/authors" : "/author"}/${slugOf(author.name)}`;
}

/** The last segment by which the site finds the page of a name. */
function slugOf(name: string): string {
  const words = name
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== "").join("-");
}

/** The page of an author. `addresses`: those of the old site. */
export function authorPage(
  author: SourceAuthor,
  origin: Origin,
  addresses: readonly string[] = [],
): ImportedPage {
  return {
    kind: "page",
    origin,
    route: authorAddress(author),
    template: "author",
    position: null,
    frontmatter: { title: author.name, summary: author.bio, visible: false },
    image: author.image === "" ? null : author.image,
    body: { format: "markdown", text: "" },
    base: { url: "https://files.invalid/", file: null },
    addresses,
    isOptional: true,
  };
}
