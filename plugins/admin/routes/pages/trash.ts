import type { PageEntry } from "../../../content/contract.js";
import { reasonAgainst } from "../../accounts/rights.js";
import type { AdminIdentity, Permission } from "../../contract.js";
import { refusal } from "../../errors.js";
import type { TrashEntry } from "../../trash.js";
import { contentPath, ownsFolder, pageFile } from "../../write/page-source.js";
import {
  ifMatch,
  note,
  notFound,
  writeOptions,
  type AdminContext,
  type IdentifiedRequest,
} from "../admin-context.js";
import { pagesApi } from "../../schemas/pages.js";

const DAY_MS = 86_400_000;
/** Permissions to restore what was deleted, and to delete it for good. */
const LISTED: readonly Permission[] = ["pages.create", "pages.delete"];

/** Deleted pages and media: list, restore, delete for good. */
export function trashRoutes(context: AdminContext): void {
  const { admin, site, trash } = context;
  admin.route({
    method: "get",
    path: "/trash",
    permission: "pages.read",
    paths: "own",
    summary: "Deleted pages and media, the latest first",
    responses: pagesApi["GET /trash"].responses,
    handler: async (req, res, { identity }) => {
      const lifetime = site.settings.admin.trash_days * DAY_MS;
      const seen = (await trash.list()).filter((one) => covers(identity, "pages.read", one));
      const items = seen.map((entry) => {
        const { files, owners: _owners, ...one } = entry;
        const lacks = LISTED.filter(
          (permission) =>
            identity.permissions.has(permission) && !covers(identity, permission, entry),
        );
        return {
          ...one,
          expiresAt: one.deletedAt + lifetime,
          files: files.map(({ path, size }) => ({ path, size })),
          ...(lacks.length > 0 && { lacks }),
        };
      });
      await site.http.json(req, res, { items, total: items.length });
    },
  });
  admin.route({
    method: "post",
    path: "/trash",
    permission: "pages.create",
    paths: "own",
    summary: "Restore what was deleted, with all its files",
    responses: pagesApi["POST /trash"].responses,
    body: { as: "json", limit: 16_384, schema: pagesApi["POST /trash"].body },
    handler: async (req, res, { body, identity }) => {
      const entry = await trash.get(body.id);
      await trash.restore(body.id, { ...writeOptions(identity), message: "restore" });
      noteTrash(context, { req, identity }, "trash.restore", entry);
      const paths = entry.files.map(({ path }) => path);
      await site.http.json(req, res, { restored: true, paths });
    },
  });
  for (const path of ["/trash", "/trash/:id"] as const) {
    admin.route({
      method: "delete",
      path,
      permission: "pages.delete",
      paths: "own",
      summary: path === "/trash" ? "Empty the trash" : "Delete something in the trash for good",
      responses: pagesApi[`DELETE ${path}`].responses,
      handler: async (req, res, { params, identity }) => {
        const { id } = params;
        const entry = id === undefined ? null : await trash.get(id);
        const reason = entry === null ? null : refusalFor(identity, "pages.delete", entry);
        if (reason !== null) throw refusal(403, "ERR_ADMIN_FORBIDDEN", reason);
        // Emptying the trash deletes what the role covers.
        const entries = entry === null ? await trash.list() : [entry];
        const purgeable = entries.filter((one) => covers(identity, "pages.delete", one));
        await trash.purge(purgeable);
        noteTrash(context, { req, identity }, "trash.purge", entry);
        await site.http.json(req, res, { purged: purgeable.length });
      },
    });
  }
}

/** A page to delete. */
export interface PageDeletion {
  readonly path: string;
  /** True: the whole folder of the page, with media and the pages below. */
  readonly hasFolder: boolean;
}

/**
 * Deletes a page; the trash keeps it.
 * @throws HttpError 404, 409 when it has changed.
 */
export async function deletePage(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  { path: given, hasFolder }: PageDeletion,
): Promise<{ sourcePath: string; trashId: string | null }> {
  const { site, trash } = context;
  const sourcePath = contentPath(given);
  const content = site.use("content");
  const page = await pageFile(content, sourcePath);
  if (page === null) throw notFound();
  const { title } = page;
  const entry = content.generation().bySource.get(page.sourcePath);
  // The pages below one that cannot be read are unknown.
  const paths = entry === undefined ? [sourcePath] : await pathsToDelete(context, entry, hasFolder);
  const ifHash = ifMatch(req);
  const deletion = { kind: "page", path: sourcePath, title, paths, ifHash } as const;
  const deleted = await trash.delete(deletion, writeOptions(identity));
  const target = { type: "page", id: sourcePath };
  note(context, req, { event: "page.delete", actor: identity, target });
  return { sourcePath, trashId: deleted?.id ?? null };
}

/** The files that go with a page, which has a folder of its own or not. */
export async function pathsToDelete(
  { site, trash }: AdminContext,
  entry: PageEntry,
  hasFolder: boolean,
): Promise<readonly string[]> {
  const isWhole = hasFolder && ownsAlone(entry, site.use("content").generation().entries);
  return isWhole ? trash.listFiles(entry.folder) : [entry.sourcePath];
}

/** False when a folder is also that of another page. */
function ownsAlone(entry: PageEntry, entries: readonly PageEntry[]): boolean {
  const { folder, lang, sourcePath } = entry;
  const others = entries.filter(
    (other) => other.folder === folder && other.lang === lang && other.sourcePath !== sourcePath,
  );
  return ownsFolder(entry) && !others.some(ownsFolder);
}

function covers(identity: AdminIdentity, permission: Permission, entry: TrashEntry): boolean {
  return refusalFor(identity, permission, entry) === null;
}

/** Why the permission does not apply to all files of the entry; null: it does. */
function refusalFor(
  identity: AdminIdentity,
  permission: Permission,
  entry: TrashEntry,
): string | null {
  for (const path of [entry.path, ...entry.files.map((file) => file.path)]) {
    const reason = reasonAgainst(identity, permission, path, entry.owners);
    if (reason !== null) return reason;
  }
  return null;
}

function noteTrash(
  context: AdminContext,
  { req, identity }: IdentifiedRequest,
  event: string,
  entry: TrashEntry | null,
): void {
  const target = entry === null ? null : { type: entry.kind, id: entry.path };
  note(context, req, { event, actor: identity, target });
}
