import { SiteError } from "#kernel";
import type { Format } from "./contract.js";

const EXTENSION = /^[a-z0-9]{1,16}$/;

/** Formats by file extension. A later one takes the place of an earlier one, so plugins can exchange them. */
export class FormatRegistry {
  readonly #formats = new Map<string, Format>();

  /** Throws ERR_MARKDOWN_FORMAT_NAME for an extension no content file can have. */
  register(format: Format): void {
    if (!EXTENSION.test(format.extension)) {
      throw new SiteError(
        "ERR_MARKDOWN_FORMAT_NAME",
        `the format's extension is ${JSON.stringify(format.extension)}`,
        { fix: "use 1 to 16 lower-case letters and digits, without a dot" },
      );
    }
    this.#formats.set(format.extension, format);
  }

  /** Throws ERR_MARKDOWN_FORMAT_UNKNOWN, naming what is registered. */
  get(extension: string): Format {
    const format = this.#formats.get(extension);
    if (format !== undefined) return format;
    throw new SiteError(
      "ERR_MARKDOWN_FORMAT_UNKNOWN",
      `no format is registered for ${JSON.stringify(extension)}, known are ${this.extensions.join(", ")}`,
      { fix: "select the plugin that brings the format, or rename the file" },
    );
  }

  get extensions(): readonly string[] {
    return [...this.#formats.keys()].sort();
  }
}
