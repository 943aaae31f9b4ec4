import {
  type ConfigFile,
  type ConfigText,
  type ConfigWriter,
  addPluginEntry,
} from "#kernel/internal";
import { safeJoin } from "#kernel";
import { type BatchMode, type Verdict, failed } from "./changes.js";

/** Config files during a batch: written immediately, or in memory for a dry run. */
export class ConfigTexts {
  readonly #files: ConfigWriter;
  readonly #isDry: boolean;
  readonly #drafts = new Map<ConfigFile, ConfigText>();

  constructor(files: ConfigWriter, { isDry }: BatchMode) {
    this.#files = files;
    this.#isDry = isDry;
  }

  async read(file: ConfigFile): Promise<ConfigText> {
    return this.#drafts.get(file) ?? this.#files.read(file);
  }

  /** Changes the text of a file; an invalid result is not written. */
  async edit(file: ConfigFile, next: (text: string) => string): Promise<Verdict> {
    try {
      if (!this.#isDry) return await this.#write(file, next);
      const before = await this.read(file);
      const text = next(before.text);
      await this.#files.assertValid(before.path, text);
      this.#drafts.set(file, { ...before, exists: true, text });
      return verdict(before, text);
    } catch (error) {
      return failed(error);
    }
  }

  async #write(file: ConfigFile, next: (text: string) => string): Promise<Verdict> {
    const seen: ConfigText[] = [];
    const after = await this.#files.edit(file, (before) => {
      seen.push(before);
      return next(before.text);
    });
    return verdict(seen[0] ?? after, after.text);
  }
}

function verdict(before: ConfigText, text: string): Verdict {
  if (before.exists && before.text === text) return { status: "skipped" };
  return { status: before.exists ? "updated" : "created" };
}

const PACKAGE = /^(?:npm|jsr):(@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*@[~^]?\d+(\.\d+){0,2}(-[\w.]+)?$/;
const FOLDER = /^\.\/[\w./-]+$/;

/**
 * `plugin.install`: adds a plugin to `plugins:` of site.yaml; does not download or run anything.
 */
export async function installPlugin(
  spec: string,
  edit: (next: (text: string) => string) => Promise<Verdict>,
): Promise<Verdict> {
  if (!isSpec(spec)) {
    const errors = [
      `${JSON.stringify(spec.slice(0, 120))} is not a plugin: use npm:name@version or ./folder of the site`,
    ];
    return { status: "error", errors };
  }
  return edit((text) => addPluginEntry(text, spec));
}

/** True for a pinned package or a path below the site root. */
export function isSpec(spec: string): boolean {
  if (PACKAGE.test(spec)) return true;
  return FOLDER.test(spec) && safeJoin("/site", spec.slice(2)) !== null;
}
