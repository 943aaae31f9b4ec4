import assert from "node:assert/strict";
import type { PageEntry } from "../../../plugins/content/contract.js";
import { toStamp, listTranslations } from "../../../plugins/check/translations.js";

const languages = {
  supported: ["en", "de", "fr"],
  default: "en",
  include_default_in_url: false,
  rtl_override: [],
};

/** The parts of an entry that are read. */
function entry(sourcePath: string, more: Partial<PageEntry> = {}): PageEntry {
  const lang = /\.(de|fr|en)\.md$/.exec(sourcePath)?.[1] ?? "en";
  const some = { sourcePath, lang, hash: "a".repeat(40), mtimeMs: 0, frontmatter: {}, ...more };
  return some as unknown as PageEntry;
}

describe("the state of translations", () => {
  const states = (...entries: PageEntry[]) =>
    listTranslations(entries, languages).map(({ lang, state }) => `${lang} ${state}`);

  it("distinguishes translated pages from missing ones, flat files too", () => {
    assert.deepEqual(states(entry("a/default.md"), entry("a/default.de.md")), [
      "de translated",
      "fr missing",
    ]);
    assert.deepEqual(states(entry("first.md"), entry("first.fr.md")), [
      "de missing",
      "fr translated",
    ]);
    assert.deepEqual(
      states(entry("a/default.en.md"), entry("a/default.de.md"))[0],
      "de translated",
    );
  });

  it("reports a translation without a page", () => {
    assert.deepEqual(states(entry("a/default.de.md")), ["de extra"]);
  });

  it("uses file times, with a tolerance of one second", () => {
    const page = entry("a.md", { mtimeMs: 10_000 });
    assert.equal(states(page, entry("a.de.md", { mtimeMs: 8_000 }))[0], "de outdated");
    assert.equal(states(page, entry("a.de.md", { mtimeMs: 9_500 }))[0], "de translated");
  });

  it("uses the stamp if there is one, whatever the times", () => {
    const page = entry("a.md", { mtimeMs: 10_000 });
    const stamped = (translated_from: unknown, mtimeMs = 0): PageEntry =>
      entry("a.de.md", { mtimeMs, frontmatter: { translated_from } });
    assert.equal(states(page, stamped(toStamp(page)))[0], "de translated");
    assert.equal(states(page, stamped("b".repeat(12), 99_999))[0], "de outdated");
    assert.equal(states(page, stamped(7, 99_999))[0], "de translated", "no stamp is a time");
  });

  it("is empty for a site with one language", () => {
    const one = { ...languages, supported: ["en"] };
    assert.deepEqual(listTranslations([entry("a.md")], one), []);
  });
});
