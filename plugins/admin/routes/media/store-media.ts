import type { Request } from "express";
import { HttpError, type KeyedLock } from "#kernel";
import type { MediaItem } from "../../../content/contract.js";
import type { AdminIdentity } from "../../contract.js";
import { written } from "../../write/save-page.js";
import { mediaName } from "../../write/upload-file.js";
import { folderOf } from "./media-list.js";
import { note, notFound, writeOptions, type RouteParts } from "../route-parts.js";

/** A received file. */
export interface ReceivedFile {
  /** The page or folder that gets the file. */
  pagePath: string;
  /** As the sender named it. */
  name: string;
  bytes: Buffer;
  /** Whether to replace a file with this name. */
  overwrite: boolean;
}
/** Dependencies of storing media. */
export interface MediaParts {
  parts: RouteParts;
  /** Of two uploads with the same name the second fails. */
  lock: KeyedLock;
}

/** A validated upload. */
interface Upload {
  folder: string;
  name: string;
  write: { op: "write"; path: string; content: Buffer; isNew: boolean };
}

/**
 * Stores a file of a page; a dry run only checks it.
 * @throws HttpError 400, 403, 404, 409, 415.
 */
export async function storeMedia(
  { parts, lock }: MediaParts,
  { req, identity, dryRun = false }: { req: Request; identity: AdminIdentity; dryRun?: boolean },
  file: ReceivedFile,
): Promise<{ path: string; item: MediaItem | null; replaces: boolean }> {
  const upload = await uploadOf(parts, file);
  const { folder, name, write } = upload;
  const store = () => storeUpload(parts, { write, identity, dryRun });
  const replaces = await lock.run(write.path, store);
  if (dryRun) return { path: write.path, item: null, replaces };
  const target = { type: "media", id: write.path };
  note(parts, req, { event: "media.upload", actor: identity, target });
  const all = await parts.site.use("content").media(folder);
  return { path: write.path, item: all.find((one) => one.name === name) ?? null, replaces };
}

async function uploadOf(parts: RouteParts, file: ReceivedFile): Promise<Upload> {
  const folder = folderOf(parts, file.pagePath);
  const name = mediaName(file.name);
  const media = parts.site.use("media", { optional: true });
  if (media === undefined) throw notFound("uploads need the plugin media");
  await media.assertFileType(name, file.bytes);
  const path = folder === "" ? name : `${folder}/${name}`;
  const write = { op: "write", path, content: file.bytes, isNew: !file.overwrite } as const;
  return { folder, name, write };
}

/** True when it replaces a file. @throws HttpError 409. */
async function storeUpload(
  { site }: RouteParts,
  { write, identity, dryRun }: Pick<Upload, "write"> & { identity: AdminIdentity; dryRun: boolean },
): Promise<boolean> {
  const options = { ...writeOptions(identity), dryRun };
  const [result] = await site.use("content").apply([write], options);
  if (result === undefined) return false;
  if (result.code === "ERR_CONTENT_EXISTS") {
    throw new HttpError(409, `file ${JSON.stringify(write.path)} already exists`);
  }
  return written(result).status !== "created";
}
