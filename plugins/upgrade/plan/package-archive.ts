/** Reads the tarball of a package, which may be hostile. */
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { safeJoin } from "#kernel";
import { upgradeError } from "../errors.js";

/** Limits of an unpacked package. */
const MAX_FILES = 20_000;
const MAX_BYTES = 512 * 1_048_576;

/** A file of a package. */
export interface PackageFile {
  /** Below the package, with slashes. */
  readonly path: string;
  readonly isExecutable: boolean;
  readonly bytes: Buffer;
}

/**
 * Passes the files of a package whose paths `isWanted` accepts to `take`, one at a time. Links and other entries are
 * left out. @throws ERR_UPGRADE_TARGET, and what `take` throws.
 */
export async function readPackageArchive(
  file: string,
  isWanted: (path: string) => boolean,
  take: (file: PackageFile) => Promise<void> | void,
): Promise<void> {
  const tar = extract();
  const gunzip = createGunzip();
  const source = createReadStream(file);
  const fail = (error: unknown): void => {
    tar.destroy(unreadable(file, error));
  };
  let size = 0;
  let files = 0;
  source.on("error", fail);
  gunzip.on("error", fail);
  gunzip.on("data", (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_BYTES) fail(new Error(`it unpacks to more than ${MAX_BYTES} bytes`));
  });
  source.pipe(gunzip).pipe(tar);
  try {
    for await (const entry of tar) {
      files += 1;
      if (files > MAX_FILES) throw unreadable(file, `it has more than ${MAX_FILES} files`);
      const { name, type, mode } = entry.header;
      const path = pathIn(name);
      if (type === "file" && path !== null && isWanted(path)) {
        const bytes = await bytesOf(entry);
        await take({ path, isExecutable: ((mode ?? 0) & 0o100) !== 0, bytes });
      }
      // What was left unread.
      entry.resume();
    }
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

/** The path without the first folder, which npm calls `package`; null for one that leads elsewhere. */
function pathIn(name: string): string | null {
  const path = name.replace(/^[^/]+\//, "");
  const isPlain =
    path !== name && !/[\\\u0000-\u001f]/.test(path) && !/(?:^|\/)\.\.?(?:\/|$)/.test(path);
  return isPlain && safeJoin("/package", path) !== null ? path : null;
}

async function bytesOf(entry: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of entry) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function unreadable(file: string, cause: unknown): Error {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return upgradeError("ERR_UPGRADE_TARGET", `${file} is not the tarball of a package: ${reason}`, {
    fix: "pass a version, a folder, or a tarball of npm pack",
    exitCode: 2,
    cause,
  });
}
