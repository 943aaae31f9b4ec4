import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { isRecord, type SiteContext } from "#kernel";
import { orderPrefix, pageStem, splitOrder } from "#lib/text";
import type { ContentChange, PageEntry, WriteRights } from "../../../content/contract.js";
import { assertAt } from "../../accounts/rights.js";
import { pagesApi } from "../../schemas/pages.js";
import { contentPath, ownsFolder } from "../../write/page-source.js";
import { wholeTextNeeded, written } from "../../write/save-page.js";
import { note, notFound, writeOptions, type AdminContext } from "../admin-context.js";
import { sendPage } from "./pages.js";

/** Maximum size in bytes of a request; JSON escapes enlarge texts. */
const TEXT_BYTES = 12 * 1_048_576;

/** Copies a page: a draft beside it, with its languages, modules and media, but not with the pages below it. */
export function duplicateRoute(context: AdminContext): void {
  const { admin, site } = context;
  admin.route({
    method: "post",
    path: "/pages/duplicate",
    permission: "pages.create",
    // Reading the page is checked below, creating the copy by the write path.
    paths: "own",
    summary: "Copy a page as a draft with a free address, with its languages, modules and media",
    responses: pagesApi["POST /pages/duplicate"].responses,
    body: { as: "json", limit: TEXT_BYTES, schema: pagesApi["POST /pages/duplicate"].body },
    handler: async (req, res, { body, identity }) => {
      const content = site.use("content");
      const path = contentPath(body.path);
      assertAt(identity, "pages.read", [path]);
      const broken = content.brokenPage(path);
      if (broken !== null) throw wholeTextNeeded(path, broken.problem);
      const entry = content.generation().bySource.get(path);
      if (entry === undefined) throw notFound();
      const options = { ...writeOptions(identity), message: "duplicate" };
      const copy = await planCopy(context, entry, {
        text: body.content ?? null,
        rights: options.rights,
      });
      // All or nothing is decided before the first file: the media follow when the index knows their page.
      for (const one of await content.apply(copy.pages, { ...options, dryRun: true })) written(one);
      await content.asStep("duplicate", async () => {
        for (const one of await content.apply(copy.pages, options)) written(one);
        const results = await content.apply(copy.media, options);
        const failed = results.find(({ status }) => status === "error");
        if (failed === undefined) return;
        const done = [...copy.pages, ...copy.media.filter((_, at) => results[at] !== failed)];
        await content.apply(done.map((change) => ({ op: "delete", path: change.path })));
        written(failed);
      });
      const target = { type: "page", id: copy.sourcePath };
      const detail = { from: path };
      note(context, req, { event: "page.create", actor: identity, target, detail });
      await sendPage(context, { req, res }, copy.sourcePath, 201);
    },
  });
}

/** The files of a copy. */
interface PageCopy {
  /** Of the copy in the language of the page. */
  readonly sourcePath: string;
  readonly pages: readonly ContentChange[];
  readonly media: readonly ContentChange[];
}

/** The author of a copy, and what they have written. */
interface CopyOptions {
  /** The text of the page instead of that of its file; null: that of its file. */
  readonly text: string | null;
  readonly rights: WriteRights;
}

async function planCopy(
  { site, trash }: Pick<AdminContext, "site" | "trash">,
  entry: PageEntry,
  { text, rights }: CopyOptions,
): Promise<PageCopy> {
  const content = site.use("content");
  const { entries } = content.generation();
  const stem = pageStem(entry.sourcePath, entry.lang);
  const own = entries.filter((one) => pageStem(one.sourcePath, one.lang) === stem);
  const isFolder = ownsFolder(entry);
  const from = isFolder ? entry.folder : stem;
  const to = freePath(site, from);
  const files = isFolder
    ? (await trash.listFiles(entry.folder)).filter(isPartOf(entry, own, site))
    : own.map(({ sourcePath }) => sourcePath);
  const pages: ContentChange[] = [];
  const media: ContentChange[] = [];
  for (const file of files) {
    const path = to + file.slice(from.length);
    const bytes = await readFile(join(site.paths.content, file));
    if (!content.isPage(file)) {
      media.push({ op: "write", path, content: bytes, isNew: true });
      continue;
    }
    const page = own.find(({ sourcePath }) => sourcePath === file);
    const module = page === undefined ? content.generation().bySource.get(file) : undefined;
    // As with a new page: without the right to publish, modules begin as drafts.
    const isHidden = module !== undefined && rights.refuse("publish", path, null) !== null;
    const draft = isHidden ? content.releasePatch(module.frontmatter, "draft") : undefined;
    const patch = page === undefined ? draft : copyPatch(site, page, rights);
    const body = page === entry && text !== null ? text : bytes;
    pages.push({ op: "write", path, content: body, ...(patch && { patch }), isNew: true });
  }
  return { sourcePath: to + entry.sourcePath.slice(from.length), pages, media };
}

/** Finds the files that are parts of a page: its texts, its media and modules, not the pages in its folder. */
function isPartOf(
  { folder }: PageEntry,
  own: readonly PageEntry[],
  site: SiteContext,
): (file: string) => boolean {
  const content = site.use("content");
  const { entries, bySource } = content.generation();
  const owned = entries.filter((one) => ownsFolder(one) && !one.isModule);
  const folders = new Set(owned.map((one) => one.folder));
  const texts = new Set(own.map(({ sourcePath }) => sourcePath));
  return (file) => {
    let above = posix.dirname(file);
    while (above !== folder && above !== "." && !folders.has(above)) above = posix.dirname(above);
    if (above !== folder) return false;
    return !content.isPage(file) || texts.has(file) || bySource.get(file)?.isModule === true;
  };
}

/** A path beside another one that no file has, and whose address no page has; a number puts it last. */
function freePath(site: SiteContext, path: string): string {
  const { entries } = site.use("content").generation();
  const folder = posix.dirname(path) === "." ? "" : `${posix.dirname(path)}/`;
  const names = new Set(
    entries.flatMap(({ sourcePath, lang }) => {
      if (!sourcePath.startsWith(folder)) return [];
      return pageStem(sourcePath.slice(folder.length), lang).split("/", 1);
    }),
  );
  const orders = [...names].map((name) => splitOrder(name));
  const name = posix.basename(path);
  const prefix = orderPrefix(name);
  // The day of a page stays; other numbers count on.
  const isNumber = prefix !== "" && !/^\d{8}\D/.test(prefix);
  const next = Math.max(0, ...orders.map(({ order }) => order ?? 0)) + 1;
  const start = isNumber ? `${String(next).padStart(2, "0")}.` : prefix;
  const taken = new Set(orders.map(({ rest }) => rest));
  const base = `${splitOrder(name).rest}-copy`;
  let free = base;
  for (let at = 2; taken.has(free); at += 1) free = `${base}-${at}`;
  return folder + start + free;
}

/** The mark of a copy in its title. */
const COPY = new Map([["de", "Kopie"]]);

/** The front matter of a copy: a draft with an address and a title of its own. */
function copyPatch(
  site: SiteContext,
  entry: PageEntry,
  { owner }: Pick<WriteRights, "owner">,
): Record<string, unknown> {
  const content = site.use("content");
  const { frontmatter, title, lang } = entry;
  const mark = COPY.get(lang.split("-", 1)[0] ?? "") ?? "copy";
  const { routes } = frontmatter;
  const { aliases: _aliases, canonical: _canonical, ...kept } = isRecord(routes) ? routes : {};
  return {
    title: `${title} (${mark})`,
    // Where accounts own pages, the copy belongs to the one that makes it.
    ...(owner !== null && "owner" in frontmatter && { owner: null }),
    ...content.unschedulePatch(frontmatter, "publish_date"),
    ...content.unschedulePatch(frontmatter, "unpublish_date"),
    ...content.releasePatch(frontmatter, "draft"),
    ...("slug" in frontmatter && { slug: null }),
    ...(isRecord(routes) && { routes: Object.keys(kept).length === 0 ? null : kept }),
  };
}
