import { z } from "zod";
import { mayAt } from "../../accounts/rights.js";
import type { AdminIdentity } from "../../contract.js";
import { MediaIndex, type IndexedMedia } from "../../media-index.js";
import { contentPath } from "../../write/page-source.js";
import {
  notFound,
  type RouteParts,
  dryRunAnswer,
  type IdentifiedExchange,
} from "../route-parts.js";

const listQuery = z.object({
  path: z.string().max(1024).optional().describe("A page or a folder: only its own files"),
  folder: z.string().max(1024).optional().describe("Only files in it and below"),
  q: z.string().max(200).optional().describe("Part of path, title or alternative text"),
  type: z.string().max(100).optional().describe("`image`, `video`, `application/pdf`, …"),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .default(50)
    .transform((wanted) => Math.min(wanted, 500)),
});
type ListQuery = z.infer<typeof listQuery>;

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
    responses: mediaAnswers.media,
    query: listQuery,
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
  readonly query: ListQuery;
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

const text = z.string();
const count = z.int().min(0);
const anyMap = z.record(z.string(), z.unknown());
const error = z.object({ error: text });
const validationErrors = z.array(z.object({ field: text, message: text }));
const changed = { 404: error, 409: error, 413: error, 422: error.extend({ validationErrors }) };
const item = z.object({
  name: text,
  url: text,
  type: text,
  size: count,
  meta: anyMap,
  mtimeMs: z.number(),
});
const indexed = item.extend({
  path: text.optional(),
  folder: text.optional(),
  key: text.nullable().optional(),
  usedBy: z.array(z.object({ sourcePath: text, title: text })).optional(),
  usedByRecords: z.array(z.object({ type: text, id: text })).optional(),
  srcset: text.optional().describe("Smaller variants; empty for files that are not processed"),
  mayUpload: z.boolean().optional(),
  mayDelete: z.boolean().optional(),
});
const mediaList = z.object({
  items: z.array(indexed),
  total: count,
  page: count.optional(),
  pages: count.optional(),
  folders: z.array(text).optional(),
});
const folders = z.object({
  items: z.array(z.object({ path: text, title: text })),
  total: count,
});
const stored = z.object({
  ok: z.literal(true),
  path: text,
  item: item.nullable(),
  warnings: z.array(text).describe("Why the image cannot be resized; empty for other files"),
});
const deleted = z.object({
  deleted: z.literal(true),
  path: text,
  trashId: text.nullable(),
  references: z.array(z.looseObject({ from: text, text, line: count })).optional(),
});

/** Responses of the routes of media. */
export const mediaAnswers = {
  media: { 200: mediaList, 404: error },
  mediaFolders: { 200: folders },
  mediaUpload: {
    201: stored,
    ...changed,
    415: error,
  },
  mediaMeta: { 200: z.object({ path: text, meta: anyMap }), ...changed },
  mediaMetaChange: {
    200: z.union([z.object({ path: text, meta: anyMap }), dryRunAnswer]),
    ...changed,
  },
  mediaFile: {
    200: dryRunAnswer,
    201: stored,
    ...changed,
    415: error,
  },
  mediaDelete: { 200: deleted, ...changed },
} as const;
