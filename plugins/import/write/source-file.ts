/** Reads files of a source folder: regular ones of a limited size, never through links. */
import { constants } from "node:fs";
import { open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { SiteError } from "#kernel";
import { errorCode } from "#kernel/internal";

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
