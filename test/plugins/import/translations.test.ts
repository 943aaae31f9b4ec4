import assert from "node:assert/strict";
import { bootEmpty, contentOf, runImport } from "../../support/sites/import-site.js";

interface Case {
  what: string;
  source: string;
  files: Readonly<Record<string, string>>;
  texts: Readonly<Record<string, RegExp>>;
  /** Address to status, and to where it leads. */
  addresses: Readonly<Record<string, string>>;
}
const LANGUAGES = "languages: { supported: [en, de, fr], default: en }\n";

const CASES: readonly Case[] = [
  {
    what: "docusaurus, with the labels of categories",
    source: "docusaurus",
    files: {
      "docusaurus.config.js": "module.exports = {};\n",
      "docs/guide/_category_.json": '{ "label": "The guide" }',
      "docs/guide/a.md": "# A\n",
      "i18n/de/docusaurus-plugin-content-docs/current.json":
        '{ "sidebar.docs.category.The guide": { "message": "Die Anleitung" } }',
      "i18n/de/docusaurus-plugin-content-docs/current/guide/a.md": "# Ä\n",
    },
    texts: {
      "docs/guide/docs.md": /title: The guide/,
      "docs/guide/docs.de.md": /title: Die Anleitung/,
      "docs/guide/a/docs.de.md": /title: Ä/,
    },
    addresses: { "/de/docs/guide": "200" },
  },
  {
    what: "hugo, with folders of languages and no configuration",
    source: "hugo",
    files: {
      "hugo.toml": "title = 'T'\n",
      "content/_index.md": "---\ntitle: Top\n---\n",
      "content/en/about.md": "---\ntitle: About\n---\n",
      "content/de/about.md": "---\ntitle: Über uns\n---\n",
      "content/docs/x.md": "---\ntitle: X\n---\n",
    },
    texts: {
      "about/default.md": /title: About/,
      "about/default.de.md": /title: Über uns/,
      "docs/x/default.md": /title: X/,
    },
    addresses: { "/de/about": "200" },
  },
  {
    what: "hugo, with a file for each language",
    source: "hugo",
    files: {
      "config/_default/hugo.toml": "defaultContentLanguage = 'en'\n",
      "config/_default/languages.en.toml": "contentDir = 'content/english'\n",
      "config/_default/languages.de.toml": "contentDir = 'content/deutsch'\n",
      "content/english/about.md": "---\ntitle: About\n---\n",
      "content/deutsch/about.md": "---\ntitle: Über uns\n---\n",
    },
    texts: { "about/default.de.md": /title: Über uns/ },
    addresses: { "/about": "200", "/de/about": "200" },
  },
  {
    what: "mkdocs, by the name of the file",
    source: "mkdocs",
    files: {
      "mkdocs.yml":
        "site_name: S\nplugins:\n  - search\n  - i18n:\n      docs_structure: suffix\n      languages:\n        - { locale: en, default: true }\n        - { locale: de }\n",
      "docs/a.md": "# A\n\n[b](b.md)\n",
      "docs/a.de.md": "# Ä\n\n[b](b.md)\n",
      "docs/b.md": "# B\n",
      "docs/b.de.md": "# Be\n",
    },
    texts: { "a/docs.de.md": /title: Ä[^]*\[b\]\(\/de\/b\)/, "a/docs.md": /title: A[^]*\(\/b\)/ },
    addresses: { "/de/a": "200" },
  },
  {
    what: "mkdocs, with folders of languages and no configuration",
    source: "mkdocs",
    files: {
      "mkdocs.yml": "site_name: S\n",
      "docs/en/a.md": "# A\n",
      "docs/de/a.md": "# Ä\n",
    },
    texts: { "a/docs.md": /title: A/, "a/docs.de.md": /title: Ä/ },
    addresses: { "/de/a": "200" },
  },
  {
    what: "hugo, by the name of the file",
    source: "hugo",
    files: {
      "hugo.toml": "[languages.en]\n[languages.de]\n",
      "content/about.md": "---\ntitle: About\naliases: [/us]\n---\n[two](sub/two.md)\n",
      "content/about.de.md":
        "---\ntitle: Über uns\nslug: ueber\naliases: [/de/wir]\n---\n[zwei](sub/two.md) [drei](three.md)\n",
      "content/sub/two.md": "---\ntitle: Two\n---\n",
      "content/sub/two.de.md": "---\ntitle: Zwei\n---\n",
      "content/three.md": "---\ntitle: Three\n---\n",
      "content/only.fr.md": "---\ntitle: Seulement\n---\nfr\n",
      "content/v1.io.md": "---\ntitle: No language\n---\n",
    },
    texts: {
      "about/default.md": /\[two\]\(\/sub\/two\)/,
      "about/default.de.md":
        /title: Über uns\nslug: ueber[^]*\[zwei\]\(\/de\/sub\/two\) \[drei\]\(\/three\)/,
      "sub/two/default.de.md": /title: Zwei/,
      "v1-io/default.md": /No language/,
    },
    addresses: { "/us": "301 /about", "/de/ueber": "200", "/de/wir": "301 /de/ueber" },
  },
  {
    what: "hugo, with a folder per language and patterns of addresses",
    source: "hugo",
    files: {
      "config/_default/hugo.yaml":
        "contentDir: content/en\npermalinks: { blog: '/:section/:year/:slug/' }\n",
      "config/_default/languages.yaml": "en: {}\nde: { contentDir: content/de }\n",
      "content/en/_index.md": "---\ntitle: Start\n---\n",
      "content/de/_index.md": "---\ntitle: Anfang\n---\n",
      "content/en/blog/one.md": "---\ntitle: One day\ndate: 2020-05-01\n---\n",
      "content/de/blog/one.md": "---\ntitle: Eines Tages\ndate: 2020-05-01\n---\n",
      "content/de/nur.md": "---\ntitle: Nur\n---\n",
    },
    texts: {
      "01.home/default.md": /Start/,
      "01.home/default.de.md": /Anfang/,
      "90.blog/one/post.de.md": /Eines Tages/,
      "nur/default.de.md": /Nur/,
    },
    addresses: {
      "/blog/2020/one-day/": "301 /blog/one",
      "/de/blog/2020/eines-tages/": "301 /de/blog/one",
      "/de": "200",
      "/de/nur": "200",
      "/nur": "404",
    },
  },
  {
    what: "docusaurus",
    source: "docusaurus",
    files: {
      "docusaurus.config.js": 'module.exports = { url: "https://old.example" };\n',
      "docs/01-intro.md": "---\ntitle: Intro\n---\n",
      "docs/guide/_category_.json": '{ "label": "Guide" }',
      "docs/guide/start.md": "---\ntitle: Start\nslug: begin\n---\n[i](../01-intro.md)\n",
      "i18n/de/docusaurus-plugin-content-docs/current/01-intro.md": "---\ntitle: Einleitung\n---\n",
      "i18n/de/docusaurus-plugin-content-docs/current/guide/start.md":
        "---\ntitle: Anfang\nslug: los\n---\n[i](../01-intro.md)\n",
      "i18n/de/docusaurus-plugin-content-docs/version-1.0/01-intro.md": "---\ntitle: Alt\n---\n",
      "i18n/de/docusaurus-theme-classic/navbar.json": "{}",
      "blog/2020-05-01-one.md": "---\ntitle: One\n---\n",
      "i18n/fr/docusaurus-plugin-content-blog/2020-05-01-one.md": "---\ntitle: Un\n---\n",
    },
    texts: {
      "docs/01.intro/docs.de.md": /title: Einleitung/,
      "docs/guide/begin/docs.de.md": /title: Anfang\nslug: los[^]*\[i\]\(\/de\/docs\/intro\)/,
      "90.blog/one/post.fr.md": /title: Un/,
    },
    addresses: {
      "/de/docs/guide/los": "200",
      "/de/docs/guide/start": "301 /de/docs/guide/los",
      "/de/docs/guide/begin": "301 /de/docs/guide/los",
      "/fr/blog/2020/05/01/one": "301 /fr/blog/one",
    },
  },
  {
    what: "kirby",
    source: "kirby",
    files: {
      "site/languages/en.php": "<?php return ['code' => 'en', 'default' => true];",
      "site/languages/de.php": "<?php return ['code' => 'de', 'default' => false];",
      "content/site.en.txt": "Title: Site",
      "content/home/home.en.txt": "Title: Home\n----\nText: (link: team text: team)",
      "content/home/home.de.txt": "Title: Start\n----\nText: (link: team text: wir)",
      "content/1_team/default.en.txt": "Title: Team",
      "content/1_team/default.de.txt": "Title: Mannschaft\n----\nSlug: mannschaft",
      "content/1_team/1_people/default.en.txt": "Title: People",
      "content/1_team/1_people/default.de.txt": "Title: Leute\n----\nSlug: leute",
      "content/2_old/default.txt": "Title: Old",
    },
    texts: {
      "01.home/default.md": /\[team\]\(\/team\)/,
      "01.home/default.de.md": /title: Start[^]*\[wir\]\(\/de\/mannschaft\)/,
      "01.team/default.de.md": /title: Mannschaft\nslug: mannschaft/,
    },
    addresses: {
      "/de/mannschaft": "200",
      "/de/team": "301 /de/mannschaft",
      "/de/mannschaft/leute": "200",
      "/de/team/people": "301 /de/mannschaft/leute",
      "/old": "200",
    },
  },
];

describe("site import of translations", () => {
  for (const { what, source, files, texts, addresses } of CASES) {
    it(`imports ${what}, and changes nothing in a second run`, async () => {
      const below = Object.entries(files).map(([path, text]) => [`from/${path}`, text] as const);
      const all = { ...Object.fromEntries(below), "system.yaml": LANGUAGES };
      const site = await bootEmpty(all);
      try {
        const { code } = await runImport(site, [source, "from"], { json: true });
        assert.equal(code, 0);
        for (const [path, pattern] of Object.entries(texts))
          assert.match(await contentOf(site, path), pattern);
        for (const [from, expected] of Object.entries(addresses)) {
          const { status, headers } = await site.fetch(from);
          assert.equal(`${status} ${headers.get("location") ?? ""}`.trim(), expected, from);
        }
        const again = JSON.stringify(
          (await runImport(site, [source, "from"], { json: true })).json,
        );
        assert.match(again, /"pages":\{"created":0,"unchanged":\d+,"skipped":0,"failed":0\}/);
        assert.match(again, /"redirects":\{"created":0,/);
      } finally {
        await site.close();
      }
    });
  }

  it("gives a name that two translations want to the first one", async () => {
    const site = await bootEmpty({
      "system.yaml": LANGUAGES,
      "from/hugo.toml": "[languages.en]\n[languages.de]\n",
      "from/content/a.md": "---\ntitle: A\n---\n",
      "from/content/a.de.md": "---\ntitle: Eins\nslug: gleich\n---\n",
      "from/content/b.md": "---\ntitle: B\n---\n",
      "from/content/b.de.md": "---\ntitle: Zwei\nslug: gleich\n---\n",
    });
    await runImport(site, ["hugo", "from"], { json: true });
    assert.match(await contentOf(site, "a/default.de.md"), /title: Eins\nslug: gleich/);
    const statuses = await Promise.all(
      ["/de/gleich", "/de/b"].map(async (path) => (await site.fetch(path)).status),
    );
    assert.deepEqual(statuses, [200, 200]);
    assert.doesNotMatch(await contentOf(site, "b/default.de.md"), /slug/);
    await site.close();
  });

  it("leaves out languages that the site lacks, names the setting, and imports them later", async () => {
    const files = {
      "from/hugo.toml": "[languages.en]\n[languages.de]\n",
      "from/content/about.md": "---\ntitle: About\n---\n",
      "from/content/about.de.md": "---\ntitle: Über uns\n---\n",
    };
    const first = await bootEmpty(files);
    const { json } = await runImport(first, ["hugo", "from"], { json: true });
    await first.close();
    const report = JSON.stringify(json);
    assert.match(
      report,
      /"file":"content\/about\.de\.md","reason":"it is in \\"de\\": add this to languages/,
    );
    assert.match(report, /"pages":\{"created":2,/);
  });
});
