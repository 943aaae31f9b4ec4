import assert from "node:assert/strict";
import type { Format } from "../../../../plugins/markdown/contract.js";
import { FormatRegistry } from "../../../../plugins/markdown/service.js";

const format = (extension: string): Format => ({
  extension,
  render: async () => ({ html: "", headings: [] }),
  text: () => "",
});

describe("FormatRegistry", () => {
  for (const extension of ["md", "mp3", "a", "x".repeat(16)]) {
    it(`accepts ${extension}`, () => {
      const registry = new FormatRegistry();
      const given = format(extension);
      registry.register(given);
      assert.equal(registry.get(extension), given);
    });
  }

  for (const extension of ["", ".md", "MD", "a.b", "../x", "x".repeat(17), "md\n"]) {
    it(`rejects ${JSON.stringify(extension)}`, () => {
      assert.throws(() => new FormatRegistry().register(format(extension)), {
        code: "ERR_MARKDOWN_FORMAT_NAME",
      });
    });
  }

  it("replaces a format with a later one", () => {
    const registry = new FormatRegistry();
    const [first, second] = [format("md"), format("md")];
    registry.register(first);
    registry.register(second);
    assert.equal(registry.get("md"), second);
    assert.deepEqual(registry.extensions, ["md"]);
  });

  it("lists the registered formats in the error for an unknown one", () => {
    const registry = new FormatRegistry();
    for (const extension of ["md", "adoc"]) registry.register(format(extension));
    assert.deepEqual(registry.extensions, ["adoc", "md"]);
    for (const unknown of ["rst", "constructor", ""]) {
      assert.throws(() => registry.get(unknown), { code: "ERR_MARKDOWN_FORMAT_UNKNOWN" });
    }
  });
});
