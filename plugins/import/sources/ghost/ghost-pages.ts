/** Posts and pages of Ghost as pages. */
import type { ImportedPage, Origin } from "../../contract.js";
import { idKey } from "../../plan/address-key.js";
import { slugOf } from "../../plan/safe-name.js";
import type { GhostData, GhostPost } from "./ghost-export.js";
import { lexicalToHtml, type EditorHtml } from "./lexical.js";
import { mobiledocToHtml } from "./mobiledoc.js";

/** Access to a post. Tiers are paid, and a visitor needs the role `paid`. */
const ROLES: Readonly<Record<string, unknown>> = {
  members: "any",
  paid: ["paid"],
  tiers: ["paid"],
};
const OPEN: ReadonlySet<string> = new Set(["", "public"]);
const HOST = /__GHOST_URL__/g;

/** Tables of an export by the post they belong to. */
export class GhostPages {
  readonly #tags = new Map<string, string[]>();
  readonly #authors = new Map<string, string>();
  readonly #descriptions = new Map<string, string>();
  readonly #users: ReadonlyMap<string, string>;
  readonly #file: string;

  constructor(data: GhostData, file: string) {
    this.#file = file;
    this.#users = new Map(data.users.map(({ id, name, slug }) => [id, name || slug]));
    this.#addTags(data);
    for (const { post_id: post, author_id: id } of data.posts_authors) {
      if (!this.#authors.has(post)) this.#authors.set(post, this.#users.get(id) ?? "");
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
    const slug = post.slug || slugOf(post.title || post.id);
    const { html, lost } = bodyOf(post);
    const origin: Origin = { file: this.#file };
    return {
      kind: "page",
      origin,
      position: null,
      notes: [...lost.map(lostNote), ...notesOf(post)],
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
    const date = dateOf(post.published_at ?? post.created_at);
    return {
      title: post.title || post.slug,
      date: isPage ? null : date,
      ...statusOf(post, date),
      author: isPage ? null : this.#authorOf(post),
      taxonomy: { tag: this.#tags.get(post.id) },
      summary: post.custom_excerpt.replaceAll(/\s+/g, " ").trim(),
      metadata: { description: post.meta_description || this.#descriptions.get(post.id) },
      roles: OPEN.has(post.visibility) ? null : (ROLES[post.visibility] ?? ["paid"]),
      custom: { featured: isSet(post.featured) ? true : null },
    };
  }

  #authorOf({ id, author_id: author }: GhostPost): string | undefined {
    return this.#authors.get(id) ?? this.#users.get(author ?? "");
  }
}

/** The text of a page, without the host. */
function withoutHost(text: string): string {
  return text.replaceAll(HOST, "");
}

function isSet(value: boolean | number | null | undefined): boolean {
  return value === true || value === 1;
}

function bodyOf({ lexical, mobiledoc, html, markdown }: GhostPost): EditorHtml {
  const found =
    (lexical === "" ? null : lexicalToHtml(lexical)) ??
    (mobiledoc === "" ? null : mobiledocToHtml(mobiledoc));
  if (found !== null && found.html.trim() !== "") return found;
  return { html: html || markdown, lost: [] };
}

function statusOf({ status }: GhostPost, date: string | null): Record<string, unknown> {
  if (status === "published" || status === "sent")
    return status === "sent" ? { published: false } : {};
  if (status === "scheduled" && date !== null) return { publish_date: date };
  return { status: "draft" };
}

/** `2020-05-01T08:30Z`, from milliseconds or a text; Ghost writes UTC. */
function dateOf(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined) return null;
  const text =
    typeof value === "string" && /^\d{4}-\d{2}-\d{2} /.test(value)
      ? `${value.replace(" ", "T")}Z`
      : value;
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? null : `${time.toISOString().slice(0, 16)}Z`;
}

function lostNote(name: string): string {
  return `${name} has no counterpart and was left out`;
}

function notesOf({ status, visibility }: GhostPost): string[] {
  return [
    ...(status === "sent" ? ["it was sent by mail only: it is unpublished now"] : []),
    ...(visibility === "tiers" ? ["it is for some tiers: it needs the role paid now"] : []),
  ];
}
