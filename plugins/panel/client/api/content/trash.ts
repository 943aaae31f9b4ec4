import type { List } from "./pages.js";
import { json } from "../request.js";

/** A deleted page or file. */
export interface TrashItem {
  readonly id: string;
  readonly kind: "page" | "media";
  readonly path: string;
  readonly title: string;
  /** Unix ms. */
  readonly deletedAt: number;
  readonly expiresAt: number;
  readonly by: { name: string };
}

/** Lists deleted pages and files, the latest first. */
export function listTrash(): Promise<List<TrashItem>> {
  return json("/trash");
}

/** Puts it back. @throws ApiError 409 when a file of this name exists. */
export function restoreTrash(id: string): Promise<unknown> {
  return json("/trash", { method: "POST", body: { id } });
}

/** Deletes it for good. */
export function purgeTrash(id: string): Promise<unknown> {
  return json(`/trash/${encodeURIComponent(id)}`, { method: "DELETE" });
}
