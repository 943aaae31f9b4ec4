import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packagedThemeFolder } from "../../../plugins/render/theme/theme.js";

const folder = join(packagedThemeFolder(), "locales");
const textsOf = (name: string): Map<string, string> => {
  const texts = new Map<string, string>();
  const walk = (value: unknown, key: string): void => {
    if (typeof value === "string") texts.set(key, value);
    else for (const [name, child] of Object.entries(Object(value))) walk(child, `${key}.${name}`);
  };
  walk(JSON.parse(readFileSync(join(folder, name), "utf8")), "");
  return texts;
};
const placeholders = (text = ""): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

describe("the packaged theme's texts", () => {
  const english = textsOf("en.json");
  for (const name of readdirSync(folder)) {
    it(`say the same in ${name} as in English, with the same places to fill in`, () => {
      const texts = textsOf(name);
      assert.deepEqual([...texts.keys()].sort(), [...english.keys()].sort());
      for (const [key, text] of texts) {
        const missing = placeholders(english.get(key)).filter((place) => !text.includes(place));
        // A language that says "one result" in a word needs no number for it.
        assert.deepEqual(
          missing.filter((place) => place !== "{n}"),
          [],
          key,
        );
      }
    });
  }
});
