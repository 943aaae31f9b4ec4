import { extname } from "node:path";
import { HttpError, type KeyedLock } from "#kernel";
import type { MediaItem } from "../../../content/contract.js";
import { written } from "../../write/save-page.js";
import {
  note,
  notFound,
  writeOptions,
  type AdminContext,
  type IdentifiedRequest,
} from "../admin-context.js";
import { findFolder } from "./media-list.js";

/** A received file. */
export interface ReceivedFile {
  /** The page or folder that gets the file. */
  pagePath: string;
  /** The name that the sender gave it. */
  name: string;
  bytes: Buffer;
  /** True: replaces a file with this name. */
  overwrite: boolean;
}
/** Dependencies of storing media. */
export interface StoreDeps {
  context: AdminContext;
  /** Makes the second of two uploads with the same name fail. */
  lock: KeyedLock;
}

/** A request that stores a file. */
interface StoreRequest extends IdentifiedRequest {
  /** True: nothing is written. Default: false. */
  readonly dryRun?: boolean;
}
/** A validated upload. */
interface Upload {
  folder: string;
  name: string;
  write: { op: "write"; path: string; content: Buffer; isNew: boolean };
  warnings: readonly string[];
}
/** A stored file, or what a dry run would store. */
export interface StoredMedia {
  /** Below the content folder. */
  path: string;
  /** Null after a dry run. */
  item: MediaItem | null;
  replaces: boolean;
  /** Why the image cannot be resized; empty for other files. */
  warnings: readonly string[];
}

/**
 * Stores a file of a page; a dry run only checks it.
 * @throws HttpError 400, 403, 404, 409, 415.
 */
export async function storeMedia(
  { context, lock }: StoreDeps,
  request: StoreRequest,
  file: ReceivedFile,
): Promise<StoredMedia> {
  const { req, identity, dryRun } = request;
  const upload = await toUpload(context, file);
  const { folder, name, write } = upload;
  const store = () => storeUpload(context, write, request);
  const replaces = await lock.run(write.path, store);
  const { warnings } = upload;
  if (dryRun === true) return { path: write.path, item: null, replaces, warnings };
  const target = { type: "media", id: write.path };
  note(context, req, { event: "media.upload", actor: identity, target });
  const all = await context.site.use("content").media(folder);
  const item = all.find((one) => one.name === name) ?? null;
  return { path: write.path, item, replaces, warnings };
}

async function toUpload(context: AdminContext, file: ReceivedFile): Promise<Upload> {
  const folder = findFolder(context, file.pagePath);
  const name = mediaName(file.name);
  const media = context.site.use("media", { optional: true });
  if (media === undefined) throw notFound("uploads need the plugin media");
  await media.assertFileType(name, file.bytes);
  const path = folder === "" ? name : `${folder}/${name}`;
  const write = { op: "write", path, content: file.bytes, isNew: !file.overwrite } as const;
  const problem = await media.imageProblem(name, file.bytes);
  const warnings = problem === null ? [] : [`${problem}; pages show it as it is`];
  return { folder, name, write, warnings };
}

/** True when it replaces a file. @throws HttpError 409. */
async function storeUpload(
  { site }: AdminContext,
  write: Upload["write"],
  { identity, dryRun = false }: StoreRequest,
): Promise<boolean> {
  const options = { ...writeOptions(identity), dryRun };
  const [result] = await site.use("content").apply([write], options);
  if (result === undefined) return false;
  if (result.code === "ERR_CONTENT_EXISTS") {
    throw new HttpError(409, `file ${JSON.stringify(write.path)} already exists`);
  }
  return written(result).status !== "created";
}

/** Extensions of pages, media settings and programs, which are never media. */
const REFUSED: ReadonlySet<string> = new Set(
  ".md .mdx .tsx .ts .jsx .js .mjs .cjs .yaml .yml .html .htm .xhtml .php .exe .sh .bat".split(" "),
);

/** Leaves room for `.meta.yaml` in the 255 bytes of file systems. */
const MAX_NAME_BYTES = 200;

/**
 * The name to store an uploaded file under.
 * @throws HttpError 400, 415.
 */
export function mediaName(original: string): string {
  const base = original.split(/[/\\]/).at(-1) ?? "";
  const name = base
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.\-~]+/, "");
  const extension = extname(name).toLowerCase();
  const bytes = Buffer.byteLength(name);
  if (bytes > MAX_NAME_BYTES) {
    const start = JSON.stringify(`${base.slice(0, 40)}…`);
    throw new HttpError(
      400,
      `the file name ${start} has ${bytes} bytes, more than ${MAX_NAME_BYTES}: rename the file`,
    );
  }
  if (name === "" || extension === "" || extension === ".") {
    throw new HttpError(
      400,
      `${JSON.stringify(base.slice(0, 80))} is not a file name with an extension`,
    );
  }
  if (REFUSED.has(extension)) {
    throw new HttpError(415, `files of type ${JSON.stringify(extension)} are not media`);
  }
  return name;
}
