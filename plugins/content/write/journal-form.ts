/** The form of pages in the journal of changes, and the changes that happened while the site was not running. */
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Change, SiteContext, JournalForm, PackedChange } from "#kernel";
import type { Generation, PageEntry } from "../contract.js";
import { formatOf, nameOf } from "../read/source-name.js";

/** The journal stores the fields that decide about access to the page, and those that the page hooks pass on. */
const packedPage = z.object({
  url: z.string(),
  route: z.string(),
  lang: z.string(),
  title: z.string(),
  status: z.enum(["draft", "in_review", "published", "archived"]),
  published: z.boolean(),
  publishAt: z.number().nullable(),
  unpublishAt: z.number().nullable(),
  routable: z.boolean(),
  isUnlisted: z.boolean().exactOptional(),
  isModule: z.boolean(),
  roles: z.object({ all: z.array(z.string()), any: z.array(z.string()) }).nullable(),
  /** `redirect` of the front matter. */
  redirect: z.string().exactOptional(),
  hash: z.string(),
});
/** The pages of an index. */
export type Pages = Pick<Generation, "bySource">;
type PackedPage = z.output<typeof packedPage>;

const states = z.object({
  /** `same`: both states of a scheduled change are one. */
  before: packedPage.nullable().or(z.literal("same")),
  after: packedPage.nullable(),
});

/** Pages in the journal. */
export const pageJournal: JournalForm = {
  pack: (change) => (change.kind === "page" ? packPages(change) : null),
  unpack: unpackPages,
};

/** Compares the pages with those of the last run, as far as the journal stores them; null: unknown. */
export function missedChanges(
  last: Pages | null,
  { bySource }: Pages,
): readonly Change<"page">[] | null {
  if (last === null) return null;
  const changes: Change<"page">[] = [];
  for (const [key, after] of bySource) {
    const before = last.bySource.get(key) ?? null;
    if (before === null) changes.push({ kind: "page", key, op: "create", before, after });
    else if (before !== after && !isDeepStrictEqual(packPage(before), packPage(after)))
      changes.push({ kind: "page", key, op: "update", before, after });
  }
  for (const [key, before] of last.bySource) {
    if (!bySource.has(key)) changes.push({ kind: "page", key, op: "delete", before, after: null });
  }
  return changes;
}

function packPages({ before, after }: Change<"page">) {
  const isSame = before !== null && before === after;
  return { before: isSame ? "same" : before && packPage(before), after: after && packPage(after) };
}

function packPage(entry: PageEntry): z.input<typeof packedPage> {
  const { url, route, lang, title, status, published, publishAt, unpublishAt } = entry;
  const { routable, isModule, roles, hash, frontmatter } = entry;
  const { redirect } = frontmatter;
  const isUnlisted = entry.isUnlisted === true;
  return {
    url,
    route,
    lang,
    title,
    status,
    published,
    publishAt,
    unpublishAt,
    routable,
    isModule,
    hash,
    roles: roles && { all: [...roles.all], any: [...roles.any] },
    ...(isUnlisted && { isUnlisted }),
    ...(typeof redirect === "string" && { redirect }),
  };
}

function unpackPages({ key, op, to, ...packed }: PackedChange): Change<"page"> | null {
  const { data } = states.safeParse(packed);
  if (data === undefined) return null;
  const after = data.after && unpackPage(to ?? key, data.after);
  const before = data.before === "same" ? after : data.before && unpackPage(key, data.before);
  return { kind: "page", key, op, ...(to !== undefined && { to }), before, after };
}

function unpackPage(sourcePath: string, { redirect, ...stored }: PackedPage): PageEntry {
  return {
    ...stored,
    sourcePath,
    folder: dirname(sourcePath),
    format: formatOf(nameOf(sourcePath)),
    frontmatter: redirect === undefined ? {} : { redirect },
    template: "",
    navTitle: stored.title,
    date: null,
    visible: false,
    order: 0,
    depth: 0,
    parent: null,
    taxonomy: {},
    aliases: [],
    mtimeMs: 0,
    size: 0,
    bodyOffset: 0,
  };
}

/** The pages of the last run, as its snapshot has them. */
export class LastRun {
  #pages: Pages | null = null;

  /** False while changes since the last run wait for their announcement: the snapshot of that run must stay. */
  get isAnnounced(): boolean {
    return this.#pages === null;
  }

  /** Null: there is no snapshot. */
  note(pages: Pages | null): void {
    this.#pages = pages;
  }

  /** How `pages` differ from those of the last run, as far as no process has announced it. */
  missed({ changes }: Pick<SiteContext, "changes">, pages: Pages): Promise<readonly Change[]> {
    return changes.journal.missed(missedChanges(this.#pages, pages));
  }

  /** What has changed since the last run is announced. */
  announced(): void {
    this.#pages = null;
  }
}
