import assert from "node:assert/strict";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import {
  stampTranslationsCommand,
  translationStatusCommand,
} from "../../../plugins/check/translations.js";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { runCommand } from "../../support/sites/check-site.js";

const files = {
  "system.yaml": "languages: { supported: [en, de, ar], default: en }\n",
  "content/01.home/default.md": "# Home\n",
  "content/01.home/default.de.md": "# Start\n",
  "content/01.home/default.ar.md": "# مرحبا\n",
  "content/02.about/default.md": "# About\n",
  "content/02.about/default.de.md": "# Über\n",
};
const plugins = ["content", "check", "pages", "render"];

describe("i18n:status", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files, plugins });
  });
  after(() => site.close());

  it("lists missing translations, counts each language and exits with 1", async () => {
    const { code, lines } = await runCommand(site, translationStatusCommand());
    assert.equal(code, 1);
    assert.deepEqual(lines, [
      "ar  missing  02.about/default.md",
      "de: 2 of 2 translated, 0 outdated",
      "ar: 1 of 2 translated, 0 outdated",
    ]);
  });

  it("exits with 0 when all is translated, 2 for an unknown language", async () => {
    const status = (lang: string) =>
      runCommand(site, translationStatusCommand(), { options: { lang } });
    assert.equal((await status("de")).code, 0);
    assert.equal((await status("fr")).code, 2);
  });

  it("lists strings that the theme lacks in a language", async () => {
    const other = await bootSite({
      files: {
        ...files,
        "site.yaml": "title: T\ntheme: { name: mine, parent: default }\n",
        "themes/mine/locales/en.json": '{"mine":{"hello":"Hello","bye":"Bye"}}',
        "themes/mine/locales/de.json": '{"mine":{"hello":"Hallo"}}',
      },
      plugins,
    });
    const { code, json } = await runCommand(other, translationStatusCommand(), {
      options: { json: true, lang: "de" },
    });
    await other.close();
    assert.equal(code, 1);
    assert.deepEqual(json, [
      {
        languages: [{ lang: "de", translated: 2, missing: 0, outdated: 0, extra: 0 }],
        pages: [],
        strings: [{ lang: "de", keys: ["mine.bye"] }],
      },
    ]);
  });

  it("uses stamps: a page that changes afterwards makes its translation outdated", async () => {
    const stamp = (args: string[], options = {}) =>
      runCommand(site, stampTranslationsCommand(), { args, options });
    assert.equal((await stamp([])).code, 2);
    const { code, lines } = await stamp(["content/02.about/default.de.md"]);
    assert.deepEqual([code, lines], [0, ["1 stamped"]]);
    const german = { options: { lang: "de" } };
    assert.equal((await runCommand(site, translationStatusCommand(), german)).code, 0);
    const content = site.site.use("content");
    await content.apply([{ op: "write", path: "02.about/default.md", content: "# About us\n" }]);
    const later = await runCommand(site, translationStatusCommand(), german);
    assert.deepEqual(later.lines[0], "de  outdated  02.about/default.de.md");
    assert.equal((await stamp(["02.about/default.de.md"])).code, 0);
    assert.equal((await runCommand(site, translationStatusCommand(), german)).code, 0);
  });

  it("agrees with content:check: a stamp counts, whatever the times", async () => {
    const other = await bootSite({ files, plugins });
    const content = other.site.use("content");
    const [page, translation] = ["02.about/default.md", "02.about/default.de.md"];
    const outdated = async (path: string, text: string): Promise<string[]> => {
      await content.apply([{ op: "write", path: page, content: text }]);
      const past = new Date(Date.now() - 3_600_000);
      await utimes(join(other.root, "content", path), past, past);
      await content.rebuild();
      const problems = await other.site.use("check").problems();
      const found = problems.filter(({ code }) => code === "ERR_CHECK_OUTDATED");
      return found.map(({ sourcePath }) => sourcePath);
    };
    await runCommand(other, stampTranslationsCommand(), { args: [translation] });
    assert.deepEqual(await outdated(translation, "# About\n"), []);
    assert.deepEqual(await outdated(page, "# About us\n"), [translation]);
    await other.close();
  });

  it("uses file times without a stamp", async () => {
    const past = new Date(Date.now() - 60_000);
    await utimes(join(site.root, "content/01.home/default.de.md"), past, past);
    await site.site.use("content").rebuild();
    const { lines } = await runCommand(site, translationStatusCommand(), {
      options: { lang: "de" },
    });
    assert.equal(lines[0], "de  outdated  01.home/default.de.md");
  });
});

describe("the default theme in several languages", () => {
  it("sets lang and dir, names each language in itself, and links all for search engines", async () => {
    const site = await bootSite({ files });
    const html = await (await site.fetch("/ar")).text();
    assert.match(html, /<html lang="ar" dir="rtl">/);
    assert.match(html, /<a href="\/de" lang="de" hreflang="de">Deutsch<\/a>/);
    assert.match(html, /<a href="\/ar" lang="ar" hreflang="ar" aria-current="true">العربية<\/a>/);
    for (const lang of ["en", "de", "ar", "x-default"])
      assert.match(html, new RegExp(`<link rel="alternate" hreflang="${lang}" href="http`));
    assert.match(await (await site.fetch("/de/about")).text(), /<html lang="de" dir="ltr">/);
    await site.close();
  });
});
