/** Lists and reads the files of a source folder: regular ones of a limited size, never through links. */
import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { basename, join, posix } from "node:path";
import { SiteError } from "#kernel";
import { errorCode } from "#lib/errors";
import { sourceError } from "../errors.js";

const MAX_DEPTH = 40;
const MAX_FILES = 200_000;
const SKIPPED: ReadonlySet<string> = new Set(["node_modules", "vendor", "__pycache__"]);

/** A file, or something in the folder that is not read. */
export interface FolderFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  /** Absolute. */
  readonly file: string;
  /** Why it is not read; null for a file. */
  readonly issue: string | null;
}

/**
 * Yields every file below a folder, by name; nothing for a missing folder. Hidden files and folders are left out,
 * except those named in `shown`.
 */
export async function* folderFiles(
  root: string,
  shown: readonly string[] = [],
): AsyncGenerator<FolderFile> {
  const pending = [""];
  let count = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const below: string[] = [];
    for (const item of await list(root, folder, shown)) {
      const path = folder === "" ? item.name : `${folder}/${item.name}`;
      count += 1;
      if (count > MAX_FILES)
        throw sourceError({ file: basename(root) }, `it has more than ${MAX_FILES} files`);
      const file = join(root, path);
      if (item.isSymbolicLink()) yield { path, file, issue: "symbolic links are not followed" };
      else if (item.isFile()) yield { path, file, issue: null };
      else if (item.isDirectory() && path.split("/").length < MAX_DEPTH) below.push(path);
      else
        yield {
          path,
          file,
          issue: item.isDirectory() ? "the folder lies too deep" : "it is not a regular file",
        };
    }
    pending.push(...below.toReversed());
  }
}

async function list(root: string, folder: string, shown: readonly string[]) {
  try {
    const items = await readdir(join(root, folder), { withFileTypes: true });
    return items
      .filter(({ name }) => (!name.startsWith(".") || shown.includes(name)) && !SKIPPED.has(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(errorCode(error))) return [];
    throw sourceError(
      { file: folder || basename(root) },
      `the folder cannot be read (${errorCode(error)})`,
    );
  }
}

const MAX_BYTES = 64 * 1_048_576;
const MAX_CONFIG_BYTES = 1_048_576;

/** The bytes of a file; `name` is shown in messages. @throws SiteError saying why it cannot be read. */
export async function readSourceFile(
  file: string,
  name: string,
  maxBytes = MAX_BYTES,
): Promise<Buffer> {
  try {
    // A link could lead to any file of this machine, a pipe would never end.
    const handle = await open(
      file,
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw unreadable(name, "it is not a regular file");
      if (stats.size > maxBytes)
        throw unreadable(name, `it has ${stats.size} bytes, at most ${maxBytes} are read`);
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof SiteError) throw error;
    const code = errorCode(error);
    throw unreadable(
      name,
      code === "ELOOP" ? "it is a symbolic link" : `it cannot be read (${code})`,
    );
  }
}

/** The text of a configuration file of a source folder; empty when it is missing, too large or a link. */
export async function readConfigFile(root: string, path: string): Promise<string> {
  const file = join(root, path);
  try {
    // A folder on the way may be a link too.
    const [real, top] = await Promise.all([realpath(file), realpath(root)]);
    if (real !== join(top, path)) return "";
    return (await readSourceFile(file, path, MAX_CONFIG_BYTES)).toString("utf8");
  } catch {
    return "";
  }
}

function unreadable(name: string, problem: string): SiteError {
  return new SiteError("ERR_IMPORT_SOURCE", `${name}: ${problem}`, { status: 400 });
}

const CHUNK = 256 * 1024;
const DECLARED = /^<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** Parts of the text. @throws ERR_IMPORT_SOURCE for a missing file and for bytes of another encoding. */
export async function* readText(path: string): AsyncGenerator<string> {
  const file = basename(path);
  const handle = await openFile(path);
  try {
    if (!(await handle.stat()).isFile()) throw sourceError({ file }, "it is not a file");
    const buffer = Buffer.alloc(CHUNK);
    let decoder: TextDecoder | null = null;
    let line = 1;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, null);
      const bytes = buffer.subarray(0, bytesRead);
      decoder ??= createDecoder(bytes, file);
      const text = decode(decoder, bytes, file, line);
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) line += 1;
      if (text !== "") yield text;
      if (bytesRead === 0) return;
    }
  } finally {
    await handle.close();
  }
}

async function openFile(path: string) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error) ?? "unknown";
    const problem = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw sourceError({ file: basename(path) }, problem, "correct the path of the source");
  }
}

function createDecoder(bytes: Buffer, file: string): TextDecoder {
  const label = findEncoding(bytes);
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw sourceError(
      { file, line: 1 },
      `unknown encoding ${JSON.stringify(label)}`,
      "save it as UTF-8",
    );
  }
}

function findEncoding(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return DECLARED.exec(bytes.toString("latin1", 0, 300))?.[1] ?? "utf-8";
}

/** The text of the next bytes, which begin at a line; no bytes end the file. */
function decode(decoder: TextDecoder, bytes: Buffer, file: string, line: number): string {
  try {
    return decoder.decode(bytes, { stream: bytes.length > 0 });
  } catch {
    const problem = `bytes that are not ${decoder.encoding} at or after line ${line}`;
    throw sourceError({ file, line }, problem, "save the file as UTF-8");
  }
}

/** A copy of a part of a larger text, which would otherwise stay in memory as long as the part. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** Reads files below the folder, never through links; null for a missing one. */
export function readerIn(root: string): (path: string) => Promise<string | null> {
  return async (path) => {
    const below = posix.normalize(path).replace(/^\.?\/+/, "");
    if (below === ".." || below.startsWith("../")) return null;
    return (await readConfigFile(root, below)) || null;
  };
}
