import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { definePlugin } from "#kernel";
import { exportFolder, type ExportedFolder } from "../../support/processes/export-folder.js";
import { picture } from "../../support/content/pictures.js";

const BLOG = `---
title: Blog
collection: { items: "@self.children", order: { by: date, dir: desc }, pagination: { size: 2 } }
---
`;
const post = (title: string, date: string): string =>
  `---\ntitle: ${JSON.stringify(title)}\ndate: ${date}\n---\nText of ${title}.\n`;
const FILES = {
  "site.yaml":
    "title: Test\nurl: https://example.org\nredirects: { /old: /blog, /away: 'https://other.example/x' }\nroutes: { /short: /blog/one }\n",
  "system.yaml": "languages: { supported: [en, de], default: en }\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n[Blog](/blog) [gone](/nowhere)\n",
  "content/02.blog/blog.md": BLOG,
  "content/02.blog/one/default.md": post("One", "2024-01-01"),
  "content/02.blog/two/default.md": post("Two", "2024-01-02"),
  "content/02.blog/two/default.de.md": post("Zwei", "2024-01-02"),
  "content/02.blog/three/default.md": post("Three", "2024-01-03"),
  "content/03.members/default.md": "---\ntitle: Members\nroles: [member]\n---\ncanary\n",
  "content/04.draft/default.md": "---\ntitle: Draft\npublished: false\n---\nunfinished\n",
  "content/05.über uns 100%/default.md":
    "---\ntitle: Über uns\nslug: über uns 100%#1\n---\nHallo.\n",
};

const byTarget = (a: { target: string }, b: { target: string }): number =>
  a.target < b.target ? -1 : 1;

describe("a static export", () => {
  let site: ExportedFolder;
  const open = async (files: Record<string, string | Buffer> = {}): Promise<ExportedFolder> =>
    (site = await exportFolder({ ...FILES, ...files }));
  afterEach(async () => site.close());

  it("contains pages, languages, aliases, redirects, numbered lists, feeds, files for hosts", async () => {
    await open();
    const report = await site.export();
    assert.deepEqual(report.failures, []);
    for (const file of [
      "index.html",
      "blog/index.html",
      "blog/page:2/index.html",
      "blog/one/index.html",
      "de/index.html",
      "de/blog/two/index.html",
      "de/blog/one/index.html",
      "short/index.html",
      "feed.xml",
      "atom.xml",
      "feed.json",
      "sitemap.xml",
      "robots.txt",
      "404.html",
      "_headers",
      "_redirects",
      ".nojekyll",
      "search/index.html",
      "old/index.html",
      "api/pages.json",
      "api/nav.json",
      "api/taxonomy.json",
      "api/config/site.json",
      "themes/default/static/style.css",
      "_site/search/index.json",
      "_site/search/search.js",
      "über uns 100%#1/index.html",
    ]) {
      assert.ok(existsSync(join(site.out, file)), file);
    }
    assert.match(await site.read("de/blog/two/index.html"), /Zwei/);
    assert.match(await site.read("_redirects"), /^\/old \/blog 301$/m);
    assert.match(await site.read("_redirects"), /^\/away https:\/\/other\.example\/x 301$/m);
    assert.match(await site.read("old/index.html"), /http-equiv="refresh" content="0; url=\/blog"/);
    assert.match(await site.read("404.html"), /404/);
    const named = /content="https:\/\/example\.org(\/_site\/cards\/[^"?]+\.png)/;
    const [, card = "none"] = named.exec(await site.read("blog/one/index.html")) ?? [];
    assert.ok(existsSync(join(site.out, card)), card);
  });

  it("contains each redirect that the site follows, or reports it", async () => {
    await open({
      "site.yaml":
        "title: T\nurl: https://example.org/docs\nredirects: { /old%20page: /blog, /café: /blog/, '/a b': /blog, '/moved/*': '/blog/:splat', '/moved/deep/*': 'https://other.example/:splat', '/?p=12': /blog, '/x/%2A': /blog, '/a:b': /blog }\nroutes: { /caf%C3%A9s: /blog/one }\n",
    });
    const { leftOut, failures } = await site.export();
    assert.deepEqual(failures, []);
    assert.deepEqual(
      (await site.read("_redirects")).trim().split("\n").toSorted(),
      [
        "/docs/a%20b /docs/blog 301",
        "/docs/a%3Ab /docs/blog 301",
        "/docs/caf%C3%A9 /docs/blog 301",
        "/docs/moved /docs/blog 301",
        "/docs/moved/* /docs/blog/:splat 301",
        "/docs/moved/deep https://other.example/ 301",
        "/docs/moved/deep/* https://other.example/:splat 301",
        "/docs/old%20page /docs/blog 301",
        "/docs/x/%2A /docs/blog 301",
      ].toSorted(),
    );
    const lines = await site.read("_redirects");
    assert.ok(lines.indexOf("/moved/deep/*") < lines.indexOf("/moved/* "), lines);
    assert.match(await site.read("old page/index.html"), /url=\/docs\/blog/);
    assert.match(await site.read("café/index.html"), /url=\/docs\/blog/);
    assert.match(await site.read("cafés/index.html"), /Text of One/);
    assert.deepEqual(
      leftOut
        .filter(({ page }) => page === "site.yaml")
        .map(({ reason }) => /"\/\?p=12"/.test(reason)),
      [true],
    );
  });

  it("reports broken links and the pages that contain them", async () => {
    await open();
    const { broken } = await site.export();
    assert.deepEqual(
      broken.filter(({ target }) => target.endsWith("/nowhere")).toSorted(byTarget),
      [
        // The page at /de is the English one, whose links stay in the language of its readers.
        { target: "/de/nowhere", from: ["/de"] },
        { target: "/nowhere", from: ["/"] },
      ],
    );
    // The page does not change, and its broken link is still reported.
    const again = await site.export();
    assert.deepEqual(again.broken, broken);
    await site.write("content/06.nowhere/default.md", "---\ntitle: Here\n---\n");
    assert.deepEqual((await site.export()).broken, []);
    await site.remove("content/06.nowhere");
    assert.deepEqual((await site.export()).broken, broken);
  });

  it("leaves out gated pages and drafts, and creates no folders for users", async () => {
    await open({
      "site.yaml": `${FILES["site.yaml"]}auth: { providers: { magicLink: { enabled: true } } }\n`,
      "content/03.members/secret.txt": "canary",
    });
    const report = await site.export();
    assert.equal(report.success, true);
    assert.equal(report.gated, 1);
    for (const file of site.files()) {
      const text = readFileSync(join(site.out, file), "latin1");
      assert.doesNotMatch(text, /canary|unfinished|Draft/, file);
      assert.ok(!file.startsWith("auth"), file);
    }
    for (const folder of ["data", ".dune/admin/sessions", ".dune/admin/users"]) {
      assert.ok(!existsSync(join(site.root, folder)), folder);
    }
  });

  it("includes drafts on request, but no gated page", async () => {
    await open();
    await site.export({ includesDrafts: true });
    assert.match(await site.read("draft/index.html"), /unfinished/);
    assert.ok(!existsSync(join(site.out, "members")));
  });

  it("redirects from a name that hosts take for the page to the folder of the page", async () => {
    await open({
      "site.yaml":
        "title: T\nurl: https://example.org\nredirects: { /blog.html: /blog, /other.html: /blog }\n",
    });
    await site.export();
    assert.match(await site.read("blog.html"), /http-equiv="refresh" content="0; url=\/blog\/"/);
    assert.match(await site.read("other.html"), /http-equiv="refresh" content="0; url=\/blog"/);
  });

  it("prefixes addresses with the path of the base URL, but does not change code examples", async () => {
    await open({
      "content/01.home/default.md":
        '---\ntitle: Home\n---\n[Blog](/blog)\n\n    <a href="/blog">\n',
    });
    await site.export({ baseUrl: "https://example.org/docs" });
    const html = await site.read("index.html");
    assert.match(html, /<a href="\/docs\/blog">Blog<\/a>/);
    assert.match(html, /href="\/blog"/);
    assert.match(html, /<link rel="canonical" href="https:\/\/example\.org\/docs\/">/);
    assert.match(html, /href="\/docs\/themes\/default\/static\/style\.css\?v=/);
    assert.match(await site.read("_redirects"), /^\/docs\/old \/docs\/blog 301$/m);
    assert.match(await site.read("sitemap.xml"), /<loc>https:\/\/example\.org\/docs\/blog<\/loc>/);
  });

  it("creates the image variants that pages use, under names a host can serve", async () => {
    await open({
      "content/01.home/photo.png": await picture(800, 600),
      "content/01.home/default.md": "---\ntitle: Home\n---\n![A photo](photo.png)\n",
    });
    const report = await site.export();
    assert.deepEqual(report.failures, []);
    const html = await site.read("index.html");
    assert.match(html, /srcset="\/content-media\/01\.home\/photo\.w320\.png 320w, /);
    assert.ok(existsSync(join(site.out, "content-media/01.home/photo.png")));
    assert.ok(existsSync(join(site.out, "content-media/01.home/photo.w640.png")));
    const kept = await site.export();
    assert.equal(kept.removed, 0);
    await site.write("content/01.home/default.md", "---\ntitle: Home\n---\nNo photo.\n");
    await site.export();
    assert.ok(!existsSync(join(site.out, "content-media/01.home/photo.w640.png")));
  });

  it("fails when a handler or contribution of a plugin does, and makes the pages again", async () => {
    await open({
      "site.yaml": `${FILES["site.yaml"]}plugins: [{ src: ./plugins/marks.mjs }]\n`,
      "plugins/marks.mjs": `import { existsSync } from "node:fs";
        const failing = new URL("../fail", import.meta.url);
        const mark = (text) => {
          if (existsSync(failing)) throw new Error("no " + text + " today");
          return { ["data-" + text]: "yes" };
        };
        export default {
          name: "marks", version: "1.0.0", requires: ["render"],
          hooks: {
            onAfterRender: ({ data, setData }) =>
              setData({ ...data, html: data.html + "<!--" + JSON.stringify(mark("end")) + "-->" }),
          },
          setup: ({ extensions }) => extensions.add("imageAttributes", async () => mark("mark")),
        };`,
      "content/01.home/photo.png": await picture(8, 8),
      "content/01.home/default.md": "---\ntitle: Home\n---\n![A photo](photo.png)\n",
      fail: "",
    });
    const report = await site.export();
    assert.equal(report.success, false);
    const failures = new Set(report.failures.map(({ url, message }) => `${url}: ${message}`));
    assert.deepEqual([...failures].toSorted(), [
      "plugin marks: hook onAfterRender: no end today",
      "plugin marks: list imageAttributes: no mark today",
    ]);
    assert.doesNotMatch(await site.read("index.html"), /data-mark|data-end/);
    await rm(join(site.root, "fail"));
    const second = await site.export();
    assert.deepEqual([second.failures, second.rendered], [[], report.rendered]);
    assert.match(await site.read("index.html"), /data-mark="yes".*"data-end":"yes"/s);
    assert.match(await site.read("blog/one/index.html"), /"data-end":"yes"/);
    const third = await site.export();
    assert.ok(third.rendered < second.rendered, `${third.rendered} of ${second.rendered}`);
  });

  it("removes a file that only links led to when no page links to it any more", async () => {
    const home = (body: string): string => `---\ntitle: Home\n---\n${body}\n`;
    const link = "[Photo](/blog/three/photo.png)\n";
    const two = post("Two", "2024-01-02");
    await open({
      // Its address in the export is below `content-media`; this one only exists through links.
      "content/02.blog/three/photo.png": await picture(8, 8),
      "content/01.home/default.md": home(link),
    });
    const file = join(site.out, "blog/three/photo.png");
    await site.export();
    assert.ok(existsSync(file));
    await site.write("content/02.blog/two/default.md", two + link);
    await site.export();
    await site.write("content/01.home/default.md", home("No photo."));
    const kept = await site.export();
    assert.ok(existsSync(file), "another page, which did not change, links to it");
    assert.ok(!kept.broken.some(({ target }) => target === "/blog/three/photo.png"));
    await site.write("content/02.blog/two/default.md", two);
    await site.export();
    assert.ok(!existsSync(file));
  });

  it("removes the copy of a picture whose page became a draft, although another page links to it", async () => {
    const three = post("Three", "2024-01-03");
    await open({
      "content/02.blog/three/photo.png": await picture(8, 8),
      "content/02.blog/two/default.md":
        post("Two", "2024-01-02") + "[Photo](/content-media/02.blog/three/photo.png)\n",
    });
    const file = join(site.out, "content-media/02.blog/three/photo.png");
    await site.export();
    assert.ok(existsSync(file));
    await site.write(
      "content/02.blog/three/default.md",
      three.replace("title", "published: false\ntitle"),
    );
    await site.export();
    assert.ok(!existsSync(file));
  });

  it("writes only what a change affects", async () => {
    await open();
    const first = await site.export();
    const second = await site.export();
    assert.deepEqual([second.written, second.removed], [0, 0]);
    assert.ok(second.rendered < first.rendered / 2, `${second.rendered} of ${first.rendered}`);
    const before = (await stat(join(site.out, "blog/two/index.html"))).mtimeMs;
    await site.write("content/02.blog/one/default.md", post("One", "2024-01-01") + "More.\n");
    await site.export();
    assert.match(await site.read("blog/one/index.html"), /More/);
    assert.equal((await stat(join(site.out, "blog/two/index.html"))).mtimeMs, before);
  });

  it("has the same result after changes as a full export", async () => {
    await open();
    await site.export();
    await site.write("content/02.blog/four/default.md", post("Four", "2024-01-04"));
    await site.write("content/02.blog/one/default.md", post("Uno", "2024-02-01"));
    await site.remove("content/02.blog/three");
    await site.export();
    const files = site.files().filter((file) => !file.startsWith("_site/"));
    const texts = new Map(
      files.map((file) => [file, readFileSync(join(site.out, file), "latin1")]),
    );
    await site.export({ isFresh: true });
    assert.deepEqual(
      site.files().filter((file) => !file.startsWith("_site/")),
      files,
    );
    for (const [file, text] of texts) {
      if (file !== ".site-export.json")
        assert.equal(readFileSync(join(site.out, file), "latin1"), text, file);
    }
  });

  it("removes a page that now redirects from the navigation of other pages", async () => {
    await open({ "content/06.far/default.md": "---\ntitle: Far Away\n---\n" });
    await site.export();
    assert.match(await site.read("blog/one/index.html"), /Far Away/);
    await site.write(
      "content/06.far/default.md",
      "---\ntitle: Far Away\nredirect: https://other.example/\n---\n",
    );
    await site.export();
    assert.doesNotMatch(await site.read("blog/one/index.html"), /Far Away/);
  });

  it("renders everything again when the theme or settings have changed", async () => {
    await open();
    const first = await site.export();
    await site.write("site.yaml", FILES["site.yaml"].replace("title: Test", "title: Other"));
    const second = await site.export();
    assert.equal(second.rendered, first.rendered);
    assert.match(await site.read("blog/one/index.html"), /Other/);
  });

  it("reads no text for the search again when only the theme has changed", async () => {
    await open({
      "site.yaml": `${FILES["site.yaml"]}theme: { name: own }\n`,
      "themes/own/theme.yaml": "name: own\nparent: default\n",
      "themes/own/css/own.css": "p { color: red }",
    });
    const first = await site.export();
    const index = await site.read("_site/search/index.json");
    const basis = async (): Promise<string[]> => {
      const { basis: found } = JSON.parse(await site.read(".site-export.json")) as {
        basis: string;
      };
      return found.split(".");
    };
    const [rest, themes] = await basis();
    await site.write("themes/own/css/own.css", "p { color: blue }");
    const second = await site.export();
    assert.equal(second.rendered, first.rendered);
    assert.equal(await site.read("_site/search/index.json"), index);
    const [restNow, themesNow] = await basis();
    assert.equal(restNow, rest);
    assert.notEqual(themesNow, themes);
    await site.write("site.yaml", FILES["site.yaml"].replace("title: Test", "title: Other"));
    await site.export();
    assert.notEqual((await basis())[0], rest);
  });

  it("uses the current templates in a process that has loaded the previous ones", async () => {
    const template = (text: string): string =>
      `export default ({ page }) => <p>{page.title} ${text}</p>;\n`;
    await open({
      "site.yaml": `${FILES["site.yaml"]}theme: { name: own }\n`,
      "themes/own/theme.yaml": "name: own\nparent: default\n",
      "themes/own/templates/default.tsx": template("before"),
    });
    await site.export();
    assert.match(await site.read("blog/one/index.html"), /One before/);
    await site.write("themes/own/templates/default.tsx", template("after"));
    await site.export();
    assert.match(await site.read("blog/one/index.html"), /One after/);
  });

  it("updates the sitemap with the day of the last change, and renders no page again for it", async () => {
    await open();
    const file = join(site.root, "content/02.blog/one/default.md");
    const lastmod = async (): Promise<string | undefined> =>
      /blog\/one<\/loc><lastmod>([^<]*)/.exec(await site.read("sitemap.xml"))?.[1];
    await utimes(file, new Date("2020-01-02"), new Date("2020-01-02"));
    await site.export();
    assert.equal(await lastmod(), "2020-01-02");
    await utimes(file, new Date("2020-01-03"), new Date("2020-01-03"));
    assert.equal((await site.export()).written, 1);
    assert.equal(await lastmod(), "2020-01-03");
    await site.write("content/02.blog/one/default.md", post("One", "2024-01-01") + "More.\n");
    await site.export();
    assert.equal(await lastmod(), new Date().toISOString().slice(0, 10));
  });

  it("restores files of the export that were changed or deleted", async () => {
    await open();
    await site.export();
    const text = await site.read("blog/one/index.html");
    await writeFile(join(site.out, "blog/one/index.html"), "x".repeat(text.length));
    await utimes(join(site.out, "blog/one/index.html"), 1, 1);
    await rm(join(site.out, "blog/two"), { recursive: true });
    await site.export();
    assert.equal(await site.read("blog/one/index.html"), text);
    assert.ok(existsSync(join(site.out, "blog/two/index.html")));
  });

  it("has the same result with several threads", async function () {
    this.timeout(120_000);
    const many = Object.fromEntries(
      Array.from({ length: 700 }, (_, at) => [
        `content/09.many/p${at}/default.md`,
        // One title, so that one card is drawn for all of them.
        `---\ntitle: Page\ndate: 2024-03-01\n---\nText ${at}.\n`,
      ]),
    );
    await open(many);
    const here = await site.export();
    const files = site.files();
    const threads = await site.export({ isFresh: true, concurrency: 2 });
    assert.deepEqual(threads.failures, []);
    assert.equal(threads.files, here.files);
    assert.equal(threads.written, 0);
    assert.deepEqual(site.files(), files);
  });

  it("lists pages that fail, exports the others, and keeps the last version of the failed ones", async () => {
    await open({
      "themes/broken/theme.yaml": "name: broken\nparent: default\n",
      "themes/broken/templates/fragile.tsx":
        "export default ({ page }) => { if (page.frontmatter.boom) throw new Error('boom'); return <p>{page.title}</p>; };\n",
      "site.yaml": `${FILES["site.yaml"]}theme: { name: broken }\n`,
      "content/06.fragile/fragile.md": "---\ntitle: Fragile\n---\n",
    });
    assert.equal((await site.export()).success, true);
    await site.write("content/06.fragile/fragile.md", "---\ntitle: Fragile\nboom: true\n---\n");
    const { success, failures } = await site.export();
    assert.equal(success, false);
    assert.deepEqual([...new Set(failures.map(({ url }) => url))], ["/fragile", "/de/fragile"]);
    assert.match(failures[0]?.message ?? "", /boom/);
    assert.match(await site.read("fragile/index.html"), /Fragile/);
  });

  it("reports two pages for one file, and keeps the first", async () => {
    await open({ "content/07.index/default.md": "---\ntitle: Not home\nslug: index.html\n---\n" });
    const { failures } = await site.export();
    // Once per language; which of the two is first depends on timing.
    const messages = failures.map(({ message }) => message).join("\n");
    assert.match(messages, /^index\.html is made from \/(?:index\.html)? too/m);
    assert.ok(existsSync(join(site.out, "index.html")));
  });

  it("lists the digests of scripts that a plugin inserts with a nonce in the policy", async () => {
    await open();
    const plugin = definePlugin({
      name: "inline",
      version: "1.0.0",
      requires: ["render"],
      hooks: {
        onAfterRender: ({ data, setData }) => {
          const script = `<script nonce="${data.req.ctx.nonce()}">let a = "<b>";</script>`;
          setData({ ...data, html: data.html.replace("</body>", `${script}</body>`) });
        },
      },
    });
    await site.export({ extraPlugins: [plugin] });
    const html = await site.read("index.html");
    assert.match(html, /<script>let a = "<b>";<\/script>/);
    assert.match(await site.read("_headers"), /script-src 'self' 'sha256-[\w+/]+=*'/);
    assert.doesNotMatch(await site.read("_headers"), /nonce/);
  });

  it("adds a changed page to the search of the export, and removes a deleted one", async () => {
    await open();
    await site.export();
    await site.write("content/02.blog/one/default.md", post("One", "2024-01-01") + "zebra\n");
    await site.remove("content/02.blog/three");
    await site.export();
    const index = JSON.parse(await site.read("_site/search/index.json")) as {
      late: string;
      removed: number[];
    };
    assert.match(await site.read(`_site/search/${index.late}`), /zebra/);
    assert.equal(index.removed.length, 2);
  });
});

describe("the folder of an export", () => {
  let site: ExportedFolder;
  beforeEach(async () => void (site = await exportFolder(FILES)));
  afterEach(async () => site.close());

  for (const [name, folder] of [
    ["the site's own folder", "."],
    ["a folder that holds it", ".."],
    ["the content", "content"],
    ["a folder in the content", "content/dist"],
    ["the themes", "themes/dist"],
    ["the site's runtime folder", ".dune/admin/dist"],
  ] as const) {
    it(`must not be ${name}`, async () => {
      await assert.rejects(site.export({ out: join(site.root, folder) }), {
        code: "ERR_STATIC_OUT",
      });
      assert.ok(existsSync(join(site.root, "content/01.home/default.md")));
    });
  }

  it("must not be a link into the content", async () => {
    await symlink(join(site.root, "content"), join(site.root, "dist"));
    await assert.rejects(site.export(), { code: "ERR_STATIC_OUT" });
  });

  it("must not contain other files, and leaves them unchanged", async () => {
    await mkdir(site.out);
    await writeFile(join(site.out, "thesis.txt"), "years of work");
    await assert.rejects(site.export(), { code: "ERR_STATIC_FOREIGN" });
    assert.deepEqual(
      site.files().filter((file) => !file.startsWith(".site-export")),
      ["thesis.txt"],
    );
  });

  it("keeps other files beside those of the export, and overwrites none of them", async () => {
    await site.export();
    await writeFile(join(site.out, "CNAME"), "example.org");
    await mkdir(join(site.out, "new"));
    await writeFile(join(site.out, "new/index.html"), "mine");
    await site.write("content/06.new/default.md", "---\ntitle: New\n---\n");
    const { failures } = await site.export();
    assert.equal(await site.read("CNAME"), "example.org");
    assert.equal(await site.read("new/index.html"), "mine");
    assert.match(failures[0]?.message ?? "", /was not written by an export/);
  });

  it("does not write through a link that was put there", async () => {
    await site.export();
    const elsewhere = join(site.root, "elsewhere");
    await mkdir(elsewhere);
    await rm(join(site.out, "blog"), { recursive: true });
    await symlink(elsewhere, join(site.out, "blog"));
    await assert.rejects(site.export(), { code: "ERR_STATIC_WRITE" });
    assert.ok(!existsSync(join(elsewhere, "index.html")));
  });

  it("rejects a second concurrent export", async () => {
    const outcomes = await Promise.allSettled([site.export(), site.export()]);
    const failed = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.deepEqual(
      failed.map(({ reason }) => reason.code),
      ["ERR_STATIC_BUSY"],
    );
    assert.equal((await site.export()).success, true);
  });

  it("keeps the last export when the new one cannot be written", async () => {
    await site.export();
    const before = site.files();
    const text = await site.read("blog/one/index.html");
    await site.write("content/02.blog/one/default.md", post("Other", "2024-01-01"));
    // A file in place of the working folder fails every write, even as root.
    await writeFile(join(site.out, ".site-export"), "");
    await assert.rejects(site.export());
    await rm(join(site.out, ".site-export"));
    assert.deepEqual(site.files(), before);
    assert.equal(await site.read("blog/one/index.html"), text);
  });

  it("is completed by the next export after an interruption during the last moves", async () => {
    await site.export();
    await site.write("content/02.blog/one/default.md", post("Cut", "2024-01-01"));
    const work = join(site.out, ".site-export");
    await mkdir(join(work, "files"), { recursive: true });
    await writeFile(join(work, "files/page-1"), "new bytes");
    const moves = [
      ["page-1", "blog/two/index.html"],
      ["../../../x", "y"],
      ["page-1", "../z"],
    ];
    await writeFile(
      join(work, "commit.json"),
      JSON.stringify({ moves, removes: ["../site.yaml", "feed.xml"] }),
    );
    await site.export();
    assert.ok(existsSync(join(site.root, "site.yaml")));
    assert.ok(!existsSync(work));
    // The manifest does not match what the interrupted commit moved, so those files are rendered
    // again.
    assert.match(await site.read("blog/two/index.html"), /Text of Two/);
    assert.ok(existsSync(join(site.out, "feed.xml")));
  });

  it("ignores a damaged manifest, and renders everything again", async () => {
    await site.export();
    const manifest = join(site.out, ".site-export.json");
    const whole = JSON.parse(await readFile(manifest, "utf8"));
    for (const text of ["{ not json", JSON.stringify({ ...whole, outputs: [null] })]) {
      await writeFile(manifest, text);
      const report = await site.export();
      assert.deepEqual([report.success, report.kept], [true, 0]);
    }
  });
});
