import { join } from "node:path";
import { SiteError } from "#lib/errors";
import { atomicWrite, FileLock, recordInStep } from "#lib/files";
import { sha256 } from "#lib/secrets";
import type { ConfigFile, ConfigText, ConfigWriter } from "../contracts.js";

/** Edits of the configuration files of a site, one at a time, also among processes. */
export class ConfigEdits {
  readonly #root: string;
  readonly #files: Pick<ConfigWriter, "read" | "assertValid">;
  readonly #lock: FileLock;

  /** `files` reads a file, and checks a text before it is written. */
  constructor(root: string, files: Pick<ConfigWriter, "read" | "assertValid">) {
    this.#root = root;
    this.#files = files;
    this.#lock = new FileLock(join(root, ".dune", "config.lock"), {
      code: "ERR_CONFIG_LOCKED",
      message: "another process is writing the configuration",
      fix: "try again when it is done",
    });
  }

  /** See `ConfigWriter.edit`. */
  run(
    file: ConfigFile,
    next: (before: ConfigText) => string,
    { ifHash }: { ifHash?: string },
  ): Promise<ConfigText> {
    return this.#lock.run(async () => {
      const before = await this.#files.read(file);
      if (ifHash !== undefined) assertSame(before, ifHash);
      const text = next(before);
      if (text === before.text && before.exists) return before;
      await this.#files.assertValid(before.path, text);
      // An editor may have saved the file while the result was checked.
      assertSame(await this.#files.read(file), before.hash);
      const written = join(this.#root, before.path);
      await recordInStep([{ op: "write", path: written, bytes: text }]);
      await atomicWrite(written, text, { access: "shared" });
      return { path: before.path, exists: true, text, hash: sha256(text) };
    });
  }
}

function assertSame({ path, hash }: ConfigText, expected: string): void {
  if (hash === expected) return;
  throw new SiteError("ERR_CONFIG_CHANGED", `${path} has changed since it was read`, {
    status: 409,
    fix: "read it again, merge, and save again",
  });
}
