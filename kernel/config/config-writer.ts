import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SiteError } from "#lib/errors";
import { atomicWrite, FileLock, recordInStep } from "#lib/files";
import type { ConfigFile, ConfigIssue, ConfigText, ConfigWriter } from "../contracts.js";
import { configHash } from "./edit-yaml.js";

const FILES: readonly ConfigFile[] = ["site", "system", "admin"];
const MAX_BYTES = 1_048_576;

/** The problems a file would have with a text; see `SiteConfigFiles.check`. */
export type CheckConfig = (path: string, text: string) => Promise<readonly ConfigIssue[]>;

/**
 * The only writer of a site's configuration files: one edit at a time, across the requests of this
 * process and other processes (a command beside a server).
 */
export class ConfigFileWriter implements ConfigWriter {
  readonly #root: string;
  readonly #check: CheckConfig;
  readonly #lock: FileLock;

  /** Without `check` the result of an edit is not validated. */
  constructor(root: string, check: CheckConfig = async () => []) {
    this.#root = root;
    this.#check = check;
    this.#lock = new FileLock(join(root, ".dune", "config.lock"), {
      code: "ERR_CONFIG_LOCKED",
      message: "another process is writing the configuration",
      fix: "try again when it is done",
    });
  }

  async read(file: ConfigFile): Promise<ConfigText> {
    for (const path of [`${file}.yaml`, `config/${file}.yaml`]) {
      const text = await readFile(join(this.#root, path), "utf8").catch(() => null);
      if (text !== null) return { path, exists: true, text, hash: configHash(text) };
    }
    const isInFolder = FILES.some((name) => existsSync(join(this.#root, `config/${name}.yaml`)));
    const folder = isInFolder ? "config/" : "";
    return { path: `${folder}${file}.yaml`, exists: false, text: "", hash: configHash("") };
  }

  edit(
    file: ConfigFile,
    next: (before: ConfigText) => string,
    options: { ifHash?: string } = {},
  ): Promise<ConfigText> {
    return this.#lock.run(async () => {
      const before = await this.read(file);
      if (options.ifHash !== undefined) assertSame(before, options.ifHash);
      const text = next(before);
      if (text === before.text && before.exists) return before;
      await this.assertValid(before.path, text);
      // An editor may have saved the file while the result was checked.
      assertSame(await this.read(file), before.hash);
      const written = join(this.#root, before.path);
      await recordInStep([{ op: "write", path: written, bytes: text }]);
      await atomicWrite(written, text, { access: "shared" });
      return { path: before.path, exists: true, text, hash: configHash(text) };
    });
  }

  async assertValid(path: string, text: string): Promise<void> {
    if (Buffer.byteLength(text) > MAX_BYTES) {
      throw new SiteError("ERR_CONFIG_REFUSED", `${path} would be larger than ${MAX_BYTES} bytes`, {
        status: 413,
      });
    }
    const problems = await this.#check(path, text);
    const [first] = problems;
    if (first === undefined) return;
    const position = first.key === "" ? first.file : `${first.file}: ${first.key}`;
    const fix = first.fix === "" ? "" : `; ${first.fix}`;
    throw new SiteError("ERR_CONFIG_REFUSED", `${position}: expected ${first.expected}${fix}`, {
      status: 400,
      details: problems,
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
