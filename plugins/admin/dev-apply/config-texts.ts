import type { ConfigFile, ConfigText, ConfigWriter } from "#kernel/internal";
import type { Verdict } from "./changes.js";
import { failed } from "./failed.js";

/** Config files during a batch: written immediately, or in memory for a dry run. */
export class ConfigTexts {
  readonly #files: ConfigWriter;
  readonly #isDry: boolean;
  readonly #drafts = new Map<ConfigFile, ConfigText>();

  constructor(files: ConfigWriter, options: { isDry: boolean }) {
    this.#files = files;
    this.#isDry = options.isDry;
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
