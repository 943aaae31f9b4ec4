import type { z } from "zod";
import { mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { MediaIndex, type IndexedMedia } from "../../media-index.js";
import { contentPath } from "../../write/page-source.js";
import { notFound, type RouteParts, type IdentifiedExchange } from "../route-parts.js";
import { mediaApi } from "../../schemas/media.js";

/** Media of one page, or of the whole site with the pages and records that use them. */
export function mediaListRoute(parts: RouteParts): void {
  const { admin, site } = parts;
  const index = new MediaIndex(site);
  admin.route({
    method: "get",
    path: "/media",
    permission: "pages.read",
    paths: ({ query }) => (query.path === undefined ? [] : [query.path]),
    summary:
      "Media of a page or folder (path), or of the whole site with the pages and records that use them",
    responses: mediaApi["GET /media"].responses,
    query: mediaApi["GET /media"].query,
    tool: {
      name: "list_media",
      description:
        "Images and files of the site or of one page, with the pages and records that use them",
    },
    handler: async (req, res, { query, identity }) => {
      if (query.path === undefined) return list(parts, { req, res, query, identity }, index);
      const items = await site.use("content").media(folderOf(parts, query.path));
      return site.http.json(req, res, { items, total: items.length });
    },
  });
}

interface ListRequest extends IdentifiedExchange {
  readonly query: z.output<(typeof mediaApi)["GET /media"]["query"]>;
}

async function list(
  parts: RouteParts,
  { req, res, query, identity }: ListRequest,
  index: MediaIndex,
): Promise<void> {
  const { site } = parts;
  const { page, limit } = query;
  const folder = contentPath(query.folder ?? "").replace(/\/$/, "");
  const words = (query.q ?? "").toLowerCase();
  const sees = (path: string): boolean => mayAt(identity, "pages.read", path);
  const all = (await index.list()).filter((item) => sees(item.path));
  const found = all.filter(
    (item) =>
      (folder === "" || item.folder === folder || item.folder.startsWith(`${folder}/`)) &&
      isOfType(item.type, query.type) &&
      `${item.path}\n${textOf(item.meta)}`.toLowerCase().includes(words),
  );
  const shown = found.slice((page - 1) * limit, page * limit);
  const items = await Promise.all(
    shown.map(async (item) => ({
      ...item,
      ...(await forPanel(parts, identity, item)),
      usedBy: item.usedBy.filter(({ sourcePath }) => sees(sourcePath)),
      usedByRecords: mayAt(identity, "flex.read", null) ? item.usedByRecords : [],
    })),
  );
  const pages = Math.max(1, Math.ceil(found.length / limit));
  const folders = [...new Set(all.map((item) => item.folder))];
  await site.http.json(req, res, { items, total: found.length, page, pages, folders });
}

/** Smaller variants for lists, and what the identity may do with the file. */
async function forPanel(
  { site }: RouteParts,
  identity: AdminIdentity,
  item: IndexedMedia,
): Promise<{ srcset: string; mayUpload: boolean; mayDelete: boolean }> {
  const { path, folder } = item;
  return {
    srcset: (await site.use("media", { optional: true })?.srcsetOf(item, folder)) ?? "",
    mayUpload: mayAt(identity, "media.upload", path),
    mayDelete: mayAt(identity, "media.delete", path),
  };
}

function isOfType(type: string, wanted: string | undefined): boolean {
  return wanted === undefined || type === wanted || type.startsWith(`${wanted}/`);
}

function textOf({ title, alt }: Readonly<Record<string, unknown>>): string {
  return [title, alt].filter((value) => typeof value === "string").join("\n");
}

/** The folder of a page given by its source path, or a folder that contains pages. */
export function folderOf({ site }: RouteParts, given: string): string {
  const path = contentPath(given).replace(/\/$/, "");
  const { bySource, entries } = site.use("content").generation();
  const page = bySource.get(path);
  if (page !== undefined) return page.folder;
  if (path === "" || entries.some(({ sourcePath }) => sourcePath.startsWith(`${path}/`)))
    return path;
  throw notFound(`page ${JSON.stringify(path.slice(0, 120))} does not exist`);
}
