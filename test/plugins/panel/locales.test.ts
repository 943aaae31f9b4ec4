import assert from "node:assert/strict";
import { basename } from "node:path";
import { filesOf, textOf } from "../../support/repository.js";

const FOLDER = "plugins/panel/client/locales";

describe("the panel's texts", () => {
  const names = filesOf(`${FOLDER}/en/*.json`).map((file) => basename(file));
  const read = (language: string, name: string): Record<string, string> =>
    JSON.parse(textOf(`${FOLDER}/${language}/${name}`)) as Record<string, string>;
  /** `{n}` and the name of a plural: what a text needs filled in. */
  const valuesIn = (text: string): string[] =>
    [...new Set([...text.matchAll(/\{(\w+)[|}]/g)].map(([, name = ""]) => name))].sort();

  it("have the same files in German", () => {
    assert.deepEqual(
      filesOf(`${FOLDER}/de/*.json`).map((file) => basename(file)),
      names,
    );
  });

  for (const name of names) {
    it(`are complete in German, with the same values: ${name}`, () => {
      const [english, german] = [read("en", name), read("de", name)];
      assert.deepEqual(Object.keys(german).sort(), Object.keys(english).sort());
      for (const [key, text] of Object.entries(english)) {
        assert.notEqual(german[key]?.trim(), "", key);
        assert.deepEqual(valuesIn(german[key] ?? ""), valuesIn(text), key);
      }
    });
  }
});
