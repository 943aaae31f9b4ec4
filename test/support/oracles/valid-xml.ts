import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { validateXML } from "xmllint-wasm";

/** Schemas in `schemas/`. */
export type XmlSchema = "rss" | "atom" | "sitemap";

/** Fails with the validator's message unless the document is valid by the schema. */
export async function assertValid(contents: string, schema: XmlSchema): Promise<void> {
  const file = new URL(`schemas/${schema}.rng`, import.meta.url);
  const { valid, errors } = await validateXML({
    xml: { fileName: "document.xml", contents },
    extension: "relaxng",
    schema: { fileName: `${schema}.rng`, contents: await readFile(file, "utf8") },
    initialMemoryPages: 4_096,
    maxMemoryPages: 32_768,
  });
  const said = errors.map(({ message }) => message).slice(0, 5);
  assert.ok(valid, `${said.join("; ")} in ${contents.slice(0, 400)}`);
}
