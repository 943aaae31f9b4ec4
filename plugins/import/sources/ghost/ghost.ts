/** Ghost: the JSON file of Settings → Import/Export, alone or in a folder with `content/` and the members as CSV. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parseEmailAddress } from "#lib/text";
import type {
  ImportItem,
  ImportSource,
  SourceInput,
  ImportedPage,
  ImportedSite,
  Origin,
} from "../../contract.js";
import { sourceError } from "../../errors.js";
import { authorAddress, authorNames, authorPage, hasPage } from "../authors.js";
import { termRedirect } from "../old-lists.js";
import { expandShortcodes } from "../wordpress/post-html.js";
import { readCsv } from "../records.js";
import { folderFiles } from "../source-files.js";
import { idKey } from "../../plan/address-key.js";
import { toSlug } from "../../plan/safe-name.js";
import { ghostPosts, readGhostData, type GhostData, type GhostPost } from "./ghost-export.js";
import { lexicalToHtml, type EditorHtml, mobiledocToHtml } from "./ghost-html.js";

/** Folders of uploads below `content/`. */
const UPLOADS = ["images", "media", "files"];

/** The source `ghost`. */
export const ghost: ImportSource = {
  summary:
    "the JSON file of Settings → Import/Export, or a folder with it, content/ and members.csv",
  items,
};

async function* items({ path }: SourceInput): AsyncGenerator<ImportItem> {
  const files = await findFiles(path);
  const data = await readGhostData(files.json);
  const file = basename(files.json);
  yield { kind: "site", hosts: ["ghost.invalid"], ...readFacts(data) };
  const pages = new GhostPages(data, file);
  yield* uploads(files.folder);
  for await (const post of ghostPosts(files.json)) yield pages.toPage(post);
  for (const { slug, name, bio, profile_image: image } of data.users) {
    const author = { name: name || slug, bio, image: withoutHost(image) };
    const [old, origin] = [`/author/${slug}`, { file }];
    if (hasPage(author)) yield authorPage(author, origin, [old]);
    else
      yield { kind: "redirect", origin, from: old, to: authorAddress(author), target: "listing" };
  }
  for (const { slug, name } of data.tags)
    if (!name.startsWith("#"))
      yield termRedirect(`/tag/${slug}`, { name: "tag", term: name }, { file });
  if (data.users.length > 0) {
    const reason = `${data.users.length} accounts of authors: pages have their names, create accounts with users:create`;
    yield { kind: "notImported", origin: { file }, reason };
  }
  yield* members(data, file);
  if (files.members !== null) yield* csvMembers(files.members);
}

/** Title, tagline, language and logo, from the settings. */
function readFacts({ settings }: GhostData): Omit<ImportedSite, "kind" | "hosts"> {
  const find = (...keys: string[]): string | null => {
    const found = settings.find(
      ({ key, value }) => keys.includes(key) && typeof value === "string",
    );
    return typeof found?.value === "string" && found.value !== "" ? found.value : null;
  };
  const logo = find("logo");
  return {
    title: find("title"),
    description: find("description"),
    language: find("locale", "lang", "default_locale"),
    logo: logo === null ? null : withoutHost(logo),
  };
}

interface GhostFiles {
  readonly json: string;
  readonly folder: string;
  readonly members: string | null;
}

async function findFiles(path: string): Promise<GhostFiles> {
  const stats = await stat(path).catch(() => null);
  if (stats === null)
    throw sourceError({ file: basename(path) }, "there is no such file or folder");
  if (!stats.isDirectory()) return { json: path, folder: dirname(path), members: null };
  // Links could lead to any file of this machine.
  const entries = await readdir(path, { withFileTypes: true });
  const names = entries.flatMap((entry) => (entry.isFile() ? entry.name : [])).sort();
  const exports = names.filter((name) => name.endsWith(".json"));
  const [json] = exports;
  if (json === undefined || exports.length > 1) {
    throw sourceError(
      { file: basename(path) },
      `the folder has ${exports.length} JSON files`,
      "name the export itself",
    );
  }
  const members = names.find((name) => /^members\b.*\.csv$/.test(name));
  return {
    json: join(path, json),
    folder: path,
    members: members === undefined ? null : join(path, members),
  };
}

/** Uploads that are beside the export. */
async function* uploads(folder: string): AsyncGenerator<ImportItem> {
  for (const kind of UPLOADS) {
    if (!(await isOwnFolder(folder, `content/${kind}`))) continue;
    for await (const file of folderFiles(join(folder, "content", kind))) {
      const address = `content/${kind}/${file.path}`;
      const origin = { file: address };
      if (file.issue !== null) yield { kind: "notImported", origin, reason: file.issue };
      // Sizes that Ghost makes itself.
      else if (!file.path.startsWith("size/")) {
        const folderOf = dirname(file.path);
        yield {
          kind: "media",
          origin,
          name: basename(file.path),
          from: { file: file.file },
          folder: folderOf === "." ? "media" : `media/${folderOf}`,
          owner: null,
          addresses: [`/${address}`],
        };
      }
    }
  }
}

/** False for a folder that is a link, or that is behind one. */
async function isOwnFolder(root: string, path: string): Promise<boolean> {
  const [real, top] = await Promise.all([
    realpath(join(root, path)).catch(() => null),
    realpath(root),
  ]);
  return real === join(top, path);
}

function* members({ members: list }: GhostData, file: string): Generator<ImportItem> {
  for (const { email, name, status } of list) {
    yield account({ email, name, isPaid: status === "paid" || status === "comped" }, { file });
  }
}

async function* csvMembers(path: string): AsyncGenerator<ImportItem> {
  const file = basename(path);
  for await (const { values, line } of readCsv(path)) {
    const isPaid = values["complimentary_plan"] === "true" || (values["tiers"] ?? "") !== "";
    yield account(
      { email: values["email"] ?? "", name: values["name"] ?? "", isPaid },
      { file, line },
    );
  }
}

/** A member of the site, from the export or from the CSV of the members. */
interface Member {
  readonly email: string;
  /** Empty without one. */
  readonly name: string;
  readonly isPaid: boolean;
}

function account(member: Member, origin: Origin): ImportItem {
  const email = parseEmailAddress(member.email);
  if (email === null) {
    const reason = `member ${JSON.stringify(member.email.slice(0, 100))}: it is not an e-mail address`;
    return { kind: "notImported", origin, reason };
  }
  return {
    kind: "account",
    origin,
    email,
    name: member.name || null,
    roles: member.isPaid ? ["paid"] : [],
  };
}

/** Access to a post. Tiers are paid, and a visitor needs the role `paid`. */
const ROLES: Readonly<Record<string, unknown>> = {
  members: "any",
  paid: ["paid"],
  tiers: ["paid"],
};
const OPEN: ReadonlySet<string> = new Set(["", "public"]);
const HOST = /__GHOST_URL__/g;

/** Tables of an export by the post they belong to. */
class GhostPages {
  readonly #tags = new Map<string, string[]>();
  readonly #authors = new Map<string, string[]>();
  readonly #descriptions = new Map<string, string>();
  readonly #users: ReadonlyMap<string, string>;
  readonly #file: string;

  constructor(data: GhostData, file: string) {
    this.#file = file;
    this.#users = new Map(data.users.map(({ id, name, slug }) => [id, name || slug]));
    this.#addTags(data);
    const ordered = data.posts_authors.toSorted(
      (a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0),
    );
    for (const { post_id: post, author_id: id } of ordered) {
      this.#authors.set(post, [...(this.#authors.get(post) ?? []), this.#users.get(id) ?? ""]);
    }
    for (const { post_id: post, meta_description: text } of data.posts_meta) {
      this.#descriptions.set(post, text);
    }
  }

  #addTags({ tags: list, posts_tags: links }: GhostData): void {
    const tags = new Map(list.map(({ id, name }) => [id, name]));
    const ordered = links.toSorted((a, b) => (a.sort_order ?? 0) - (b.sort_order ?? 0));
    for (const { post_id: post, tag_id: id } of ordered) {
      const name = tags.get(id) ?? "";
      // A name that begins with # is internal.
      if (name === "" || name.startsWith("#")) continue;
      this.#tags.set(post, [...(this.#tags.get(post) ?? []), name]);
    }
  }

  /** A post or page. */
  toPage(post: GhostPost): ImportedPage {
    const isPage = post.type === "page" || isSet(post.page);
    const slug = post.slug || toSlug(post.title || post.id);
    const { html: written, lost } = readBody(post);
    // Blogs that came from WordPress keep its captions and players as text. The pictures of a gallery stayed there.
    const { html, kept } = FROM_WORDPRESS.test(written)
      ? expandShortcodes(written, null)
      : { html: written, kept: [] };
    const origin: Origin = { file: this.#file };
    return {
      kind: "page",
      origin,
      position: null,
      notes: [
        ...lost.map((name) => `${name} has no counterpart and was left out`),
        ...kept.map((name) => `shortcode [${name}] stays as text`),
        ...listNotes(post),
      ],
      route: isPage ? `/${slug}` : `/blog/${slug}`,
      template: isPage ? "default" : "post",
      frontmatter: this.#matter(post, isPage),
      image: withoutHost(post.feature_image || post.image),
      body: { format: "html", text: withoutHost(html) },
      base: { url: `https://ghost.invalid/${slug}/`, file: null },
      addresses: [`/${slug}`, idKey(post.id)],
    };
  }

  /** Empty values are left out later. */
  #matter(post: GhostPost, isPage: boolean): Record<string, unknown> {
    const date = parseDate(post.published_at ?? post.created_at);
    return {
      title: post.title || post.slug,
      date: isPage ? null : date,
      ...toStatus(post, date),
      author: isPage ? null : this.#authorOf(post),
      taxonomy: { tag: this.#tags.get(post.id) },
      summary: post.custom_excerpt.replaceAll(/\s+/g, " ").trim(),
      metadata: { description: post.meta_description || this.#descriptions.get(post.id) },
      roles: OPEN.has(post.visibility) ? null : (ROLES[post.visibility] ?? ["paid"]),
      custom: { featured: isSet(post.featured) ? true : null },
    };
  }

  #authorOf({ id, author_id: author }: GhostPost): string | string[] | null {
    return authorNames(this.#authors.get(id) ?? this.#users.get(author ?? ""), new Map());
  }
}

/** The text of a page, without the host. */
function withoutHost(text: string): string {
  return text.replaceAll(HOST, "");
}

function isSet(value: boolean | number | null | undefined): boolean {
  return value === true || value === 1;
}

const FROM_WORDPRESS = /\[(?:caption|gallery|embed|audio|video|playlist|sourcecode)[\s\]]/;

function readBody({ lexical, mobiledoc, html, markdown }: GhostPost): EditorHtml {
  const converted =
    (lexical === "" ? null : lexicalToHtml(lexical)) ??
    (mobiledoc === "" ? null : mobiledocToHtml(mobiledoc));
  if (converted !== null && converted.html.trim() !== "") return converted;
  return { html: html || markdown, lost: [] };
}

function toStatus({ status }: GhostPost, date: string | null): Record<string, unknown> {
  if (status === "published" || status === "sent")
    return status === "sent" ? { published: false } : {};
  if (status === "scheduled" && date !== null) return { publish_date: date };
  return { status: "draft" };
}

/** `2020-05-01T08:30Z`, from milliseconds or a text; Ghost writes UTC. */
function parseDate(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const text =
    typeof value === "string" && /^\d{4}-\d{2}-\d{2} /.test(value)
      ? `${value.replace(" ", "T")}Z`
      : value;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : `${time.toISOString().slice(0, 16)}Z`;
}

function listNotes({ status, visibility }: GhostPost): string[] {
  return [
    ...(status === "sent" ? ["it was sent by mail only: it is unpublished now"] : []),
    ...(visibility === "tiers" ? ["it is for some tiers: it needs the role paid now"] : []),
  ];
}
