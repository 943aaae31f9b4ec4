import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SiteError } from "#lib/errors";
import { sha256 } from "#lib/secrets";
import type { ConfigFile, ConfigIssue, ConfigText, ConfigWriter } from "../contracts.js";
import type { ConfigEdits } from "./config-edits.js";

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
  /** Loaded for the first edit: most commands only read. */
  #edits: Promise<ConfigEdits> | null = null;

  /** Without `check` the result of an edit is not validated. */
  constructor(root: string, check: CheckConfig = async () => []) {
    this.#root = root;
    this.#check = check;
  }

  async read(file: ConfigFile): Promise<ConfigText> {
    for (const path of [`${file}.yaml`, `config/${file}.yaml`]) {
      const text = await readFile(join(this.#root, path), "utf8").catch(() => null);
      if (text !== null) return { path, exists: true, text, hash: sha256(text) };
    }
    const isInFolder = FILES.some((name) => existsSync(join(this.#root, `config/${name}.yaml`)));
    const folder = isInFolder ? "config/" : "";
    return { path: `${folder}${file}.yaml`, exists: false, text: "", hash: sha256("") };
  }

  async edit(
    file: ConfigFile,
    next: (before: ConfigText) => string,
    options: { ifHash?: string } = {},
  ): Promise<ConfigText> {
    this.#edits ??= import("./config-edits.js").then(
      (module) => new module.ConfigEdits(this.#root, this),
    );
    return (await this.#edits).run(file, next, options);
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
