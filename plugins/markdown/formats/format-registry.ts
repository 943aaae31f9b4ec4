import { expectFields, SiteError } from "#kernel";
import { callCheck } from "#kernel/internal";
import type { Format } from "../contract.js";

const assertRegister = callCheck(
  "markdown.register",
  { format: expectFields({ extension: ["string"], render: ["function"], text: ["function"] }) },
  'site.use("markdown").register({ extension: "adoc", render: async (input) => …, text: (page) => … })',
);

const EXTENSION = /^[a-z0-9]{1,16}$/;

/**
 * Formats by file extension. A later registration replaces an earlier one, so plugins can exchange
 * formats.
 */
export class FormatRegistry {
  readonly #formats = new Map<string, Format>();

  /** @throws ERR_MARKDOWN_FORMAT_NAME for an invalid extension. */
  register(format: Format): void {
    assertRegister(format);
    if (!EXTENSION.test(format.extension)) {
      throw new SiteError(
        "ERR_MARKDOWN_FORMAT_NAME",
        `the format has the invalid extension ${JSON.stringify(format.extension)}`,
        { fix: "use 1 to 16 lower-case letters and digits, without a dot" },
      );
    }
    this.#formats.set(format.extension, format);
  }

  /** @throws ERR_MARKDOWN_FORMAT_UNKNOWN, listing the registered formats. */
  get(extension: string): Format {
    const format = this.#formats.get(extension);
    if (format !== undefined) return format;
    throw new SiteError(
      "ERR_MARKDOWN_FORMAT_UNKNOWN",
      `no format is registered for ${JSON.stringify(extension)}, registered: ${this.extensions.join(", ")}`,
      { fix: "select the plugin that provides the format, or rename the file" },
    );
  }

  get extensions(): readonly string[] {
    return [...this.#formats.keys()].sort();
  }
}
