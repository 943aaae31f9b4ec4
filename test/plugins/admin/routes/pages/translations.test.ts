import assert from "node:assert/strict";
import { useAdmin } from "../../../../support/sites/use-site.js";

const WELCOME = "02.blog/welcome/post.md";

describe("GET /admin/api/translations/{path}", () => {
  const site = useAdmin({
    settings: { system: { languages: { supported: ["en", "de", "fr"], default: "en" } } },
    files: {
      [`content/${WELCOME}`]: "---\ntitle: Welcome\n---\nHello.\n",
      "content/02.blog/welcome/post.de.md":
        "---\ntitle: Willkommen\ntranslated_from: 0123456789ab\n---\nHallo.\n",
      "content/03.nur/default.de.md": "---\ntitle: Nur\n---\nHallo.\n",
    },
  });
  const author = site.user("author");
  const translations = (path: string) => author.json(200, "GET", `/admin/api/translations/${path}`);

  it("lists every language of the site with what is missing and outdated", async () => {
    const { hash } = await author.json(200, "GET", `/admin/api/pages/${WELCOME}`);
    const found = await translations(WELCOME);
    assert.equal(found.lang, "en");
    assert.equal(found.stamp, hash.slice(0, 12));
    const de = "02.blog/welcome/post.de.md";
    assert.deepEqual(found.items, [
      { lang: "en", state: "original", sourcePath: WELCOME, title: "Welcome", status: "published" },
      { lang: "de", state: "outdated", sourcePath: de, title: "Willkommen", status: "published" },
      {
        lang: "fr",
        state: "missing",
        sourcePath: "02.blog/welcome/post.fr.md",
        title: null,
        status: null,
      },
    ]);
    assert.equal((await translations(de)).lang, "de");
  });

  it("names the missing original of a translation", async () => {
    const { items, stamp } = await translations("03.nur/default.de.md");
    assert.equal(stamp, null);
    assert.deepEqual(
      items.map(({ lang, state, sourcePath }: Record<string, string>) => [lang, state, sourcePath]),
      [
        ["en", "missing", "03.nur/default.md"],
        ["de", "translated", "03.nur/default.de.md"],
        ["fr", "missing", "03.nur/default.fr.md"],
      ],
    );
  });

  it("responds 404 to an unknown page, and 401 without an account", async () => {
    const path = "/admin/api/translations/03.nothing/default.md";
    assert.equal((await author.send("GET", path)).status, 404);
    assert.equal((await site.fetch(path)).status, 401);
  });
});
