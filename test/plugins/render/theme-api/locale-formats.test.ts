import assert from "node:assert/strict";
import { cachedByLanguage } from "../../../../plugins/render/theme-api/formats.js";

describe("cachedByLanguage", () => {
  const made: string[] = [];
  const formatOf = cachedByLanguage((locale) => {
    made.push(locale);
    return { locale };
  });

  it("creates a formatter once for each language", () => {
    assert.equal(formatOf("de"), formatOf("de"));
    assert.deepEqual(formatOf("pt-br"), { locale: "pt-BR" });
    assert.deepEqual(made, ["de", "pt-BR"]);
  });

  it("uses English for an invalid language", () => {
    assert.deepEqual(formatOf("no such language"), { locale: "en" });
  });

  it("caches a bounded number of them", () => {
    const first = formatOf("x-first");
    for (let at = 0; at < 200; at += 1) formatOf(`x-other${at}`);
    assert.notEqual(formatOf("x-first"), first);
  });
});
