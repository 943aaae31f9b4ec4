import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { bootSite, type TestSite } from "../../../support/sites/boot-site.js";

const run = promisify(execFile);
const page = (title: string, more = ""): string => `---\ntitle: ${title}\n${more}---\nText.\n`;

const files = {
  "site.yaml": [
    "title: Harbour",
    "theme: { preset: docs, edit_url: 'https://git.example/edit/main/content/{path}' }",
    "versions: { '2.x': /, '1.x': /v1 }",
  ].join("\n"),
  "system.yaml": "languages: { supported: [en, de], default: en }\n",
  "content/01.home/landing.md": page("Home"),
  "content/02.start/docs.md": page("Start"),
  "content/02.start/01.install/docs.md": page("Install"),
  "content/03.guide/docs.md": page("Guide"),
  "content/03.guide/01.boats/Boats.md": page("Boats", "updated: 2026-03-04\n"),
  "content/03.guide/01.boats/Boats.de.md": page("Boote"),
  "content/04.blog/blog.md": page("Blog"),
  "content/04.blog/news/post.md": page("News", "date: 2026-01-01\n"),
  "content/05.v1/docs.md": page("Old docs"),
  "content/05.v1/01.guide/docs.md": page("Old guide"),
};

const linksIn = (html: string, start: string, end = "</nav>"): string[] => {
  const part = html.slice(html.indexOf(start), html.indexOf(end, html.indexOf(start)));
  return [...part.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href ?? "");
};

describe("theme.preset: docs", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ files });
  });
  after(() => site.close());
  const read = async (path: string, from = site): Promise<string> => {
    const answer = await from.fetch(path);
    assert.equal(answer.status, 200, path);
    return answer.text();
  };

  it("draws pages without a template as documentation, beside the whole tree without blog and versions", async () => {
    const html = await read("/guide/boats");
    assert.match(html, /class="page-docs preset-docs"/);
    assert.deepEqual(linksIn(html, '<nav class="docs-nav"').slice(2), [
      "/start",
      "/start/install",
      "/guide",
      "/guide/boats",
    ]);
    assert.match(html, /<a href="\/guide\/boats" aria-current="page">Boats<\/a>/);
  });

  it("shows the whole tree of pages without numbers, without articles", async () => {
    const other = await bootSite({
      files: {
        "site.yaml": "title: Docs\ntheme: { preset: docs }\n",
        "content/index.md": "# Home",
        "content/guide/index.md": "# Guide",
        "content/guide/features.md": "# Features",
        "content/api/calls.md": "# Calls",
        "content/news/one.md": "---\ndate: 2026-01-01\n---\n# News",
      },
    });
    const html = await read("/guide/features", other);
    await other.close();
    assert.deepEqual(linksIn(html, '<nav class="docs-nav"'), [
      "/api/calls",
      "/guide",
      "/guide/features",
    ]);
  });

  it("leads to the next and the previous page across sections", async () => {
    assert.deepEqual(linksIn(await read("/guide"), 'class="neighbours"'), []);
    assert.match(
      await read("/guide"),
      /<a class="before" rel="prev" href="\/start\/install">.*<a class="after" rel="next" href="\/guide\/boats">/s,
    );
  });

  it("switches between versions: to the same page, else to the first one, with a notice on old pages", async () => {
    assert.match(await read("/guide"), /<a href="\/v1\/guide">1\.x<\/a>/);
    assert.match(await read("/start"), /<a href="\/v1">1\.x<\/a>/);
    const old = await read("/v1/guide");
    assert.match(old, /documentation of 1\.x\. <a href="\/guide">/);
    assert.deepEqual(linksIn(old, '<nav class="docs-nav"').slice(2), ["/v1", "/v1/guide"]);
    assert.doesNotMatch(await read("/guide"), /role="note"/);
  });

  it("says that a page is not translated", async () => {
    const notice = /role="note">[^<]*Deutsch[^<]*<a href="\/guide" hreflang="en">Englisch</;
    assert.match(await read("/de/guide"), notice);
    assert.doesNotMatch(await read("/de/guide/boats"), /role="note"/);
  });

  it("follows sidebar.yaml: groups, titles by language, addresses, and no page that visitors may not see", async () => {
    const sidebar = [
      "- { page: /guide/boats }",
      "- title: { en: More, de: Mehr }",
      "  items: [{ page: /start, title: Begin }, { page: /missing }, { title: Code, url: 'https://git.example' }, { title: Part, url: '/start?a=b#part' }]",
      "- { title: Nothing, items: [{ page: /missing }] }",
    ].join("\n");
    const other = await bootSite({ files: { ...files, "sidebar.yaml": sidebar } });
    const html = await read("/guide/boats", other);
    const german = await read("/de/guide/boats", other);
    await other.close();
    assert.deepEqual(linksIn(html, '<nav class="docs-nav"').slice(2), [
      "/guide/boats",
      "/start",
      "https://git.example",
      "/start?a=b#part",
    ]);
    assert.match(html, /<summary><span>More<\/span>/);
    assert.match(german, /<summary><span>Mehr<\/span>/);
    assert.match(german, /href="\/de\/start\?a=b#part"/);
    assert.match(html, /rel="next" href="\/start"/);
  });

  it("links to the source, and dates a page by its front matter or its last commit", async () => {
    const other = await bootSite({ files });
    const git = (...args: string[]) =>
      run("git", args, {
        cwd: other.root,
        env: {
          ...process.env,
          GIT_COMMITTER_DATE: "2026-02-03T10:00:00Z",
          GIT_AUTHOR_DATE: "2026-02-03T10:00:00Z",
        },
      });
    await git("init", "--quiet");
    await git("add", "content");
    await git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "first");
    const [boats, html] = [await read("/guide/boats", other), await read("/start/install", other)];
    await other.close();
    assert.match(boats, /<time datetime="2026-03-04/);
    assert.match(html, /<time datetime="2026-02-03T10:00:00.000Z">/);
    assert.match(
      html,
      /href="https:\/\/git\.example\/edit\/main\/content\/02\.start\/01\.install\/docs\.md"/,
    );
  });
});
