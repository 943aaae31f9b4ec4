import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { exportFolder } from "../../support/processes/export-folder.js";
import { modularFiles } from "../../support/content/modular-files.js";
import { until } from "../../support/until.js";

const plugins = ["render", "markdown", "content", "cache", "pages"];
const settings = { system: { typography: { orphan_protection: false } } };

describe("modules in the default theme", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files: modularFiles, plugins, settings });
  });
  after(() => site.close());
  const html = async (path: string): Promise<string> => (await site.fetch(path)).text();

  it("are drawn by the component of their template, an unknown one by text", async () => {
    const page = await html("/");
    assert.match(page, /<section class="module hero"[^]*<h1 class="hero-title">Sail with us<\/h1>/);
    assert.match(page, /<a class="button primary" href="\/book">Book/);
    assert.match(page, /<section class="module wrap column">[^]*Forty per hour\./);
  });

  it("have headings below that of the page, and ids that are unique", async () => {
    const page = await html("/");
    const levels = [...page.matchAll(/<h([1-6])/g)].map(([, level]) => level);
    assert.deepEqual(levels, ["1", "2", "3"]);
    const book = await html("/book");
    assert.match(book, /<h3 id="deck">[^]*<h3 id="deck-2">[^]*href="#deck-2"/);
    const ids = [...book.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, ids.join());
  });

  it("are hidden as the API hides them", async () => {
    assert.doesNotMatch(await html("/"), /Membersonly|Unfinished/);
  });

  it("follow the order of the page's collection, which is then not listed", async () => {
    const page = await html("/book");
    assert.match(page, /Choose\.[^]*Second boat\.[^]*First boat\./);
    assert.equal(page.match(/First boat\./g)?.length, 1);
  });

  it("a changed module changes the page and its validator", async () => {
    const tag = async () => (await site.fetch("/book")).headers.get("etag");
    const before = await tag();
    await site.write("content/03.book/01._a/text.md", "---\ntitle: Alpha\n---\nRepaired boat.\n");
    await until(async () => /Repaired boat/.test(await html("/book")));
    assert.notEqual(await tag(), before);
  });
});

describe("modules in a theme of the site", () => {
  it("use its components first, then those of its parent", async () => {
    const site = await bootSite({
      plugins,
      settings,
      files: {
        ...modularFiles,
        "site.yaml": "title: Harbour\ntheme: { name: own }\n",
        "themes/own/theme.yaml": "name: own\nversion: 1.0.0\nparent: default\n",
        "themes/own/components/modules/timetable.tsx":
          "export default ({ module, level }) => <div class='own' data-level={level}>{module.name}</div>;\n",
      },
    });
    try {
      const page = await (await site.fetch("/")).text();
      assert.match(page, /<div class="own" data-level="2">timetable<\/div>/);
      assert.match(page, /<section class="module hero"/);
    } finally {
      await site.close();
    }
  });

  it("show their text in a theme without components", async () => {
    const site = await bootSite({
      plugins,
      settings,
      files: {
        ...modularFiles,
        "site.yaml": "title: Harbour\ntheme: { name: bare }\n",
        "themes/bare/theme.yaml": "name: bare\nversion: 1.0.0\n",
        "themes/bare/templates/default.tsx":
          'import { Modules } from "sitewright/theme";\nexport default (props) => <main><Modules {...props} /></main>;\n',
      },
    });
    try {
      assert.match(await (await site.fetch("/")).text(), /<main><section><p>Salty /);
    } finally {
      await site.close();
    }
  });
});

describe("modules in a static export", () => {
  it("are part of the page, with their files", async () => {
    const site = await exportFolder({
      ...modularFiles,
      "content/01.home/01._hero/note.txt": "a note",
    });
    try {
      await site.export();
      assert.match(await site.read("index.html"), /Salty\s<strong>wind/);
      assert.equal(await site.read("content-media/01.home/01._hero/note.txt"), "a note");
      await site.write("content/01.home/01._hero/hero.md", "Calm *sea* today.");
      await site.export();
      assert.match(await site.read("index.html"), /Calm\s<em>sea<\/em>/);
    } finally {
      await site.close();
    }
  });
});
