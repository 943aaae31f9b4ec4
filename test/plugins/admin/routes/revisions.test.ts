import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { adminPlugins, bootAdmin } from "../../../support/sites/admin-site.js";
import type { AdminClient, AdminSite } from "../../../support/sites/admin-site.js";
import { picture } from "../../../support/content/pictures.js";

const LINKS = "/admin/api/preview-links";
const WHO = ["-c", "user.name=Eve", "-c", "user.email=eve@x", "-c", "commit.gpgSign=false"];

describe("the site at a commit", () => {
  let site: AdminSite;
  let editor: AdminClient;
  let [first, other, hidden, unreachable] = ["", "", "", ""];
  const git = (...args: string[]): string =>
    execFileSync("git", [...WHO, ...args], {
      cwd: site.root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, GIT_COMMITTER_DATE: "2026-01-05T10:00:00Z" },
    }).trim();
  const commit = (message: string): string => {
    git("add", "-A", "content");
    git("commit", "-q", "-m", message);
    return git("rev-parse", "HEAD");
  };
  const text = async (path: string, who: AdminClient | null = editor, status = 200) => {
    const answer = await (who === null ? site.fetch(path) : who.send("GET", path));
    const body = await answer.text();
    assert.equal(answer.status, status, `${path}: ${body.slice(0, 300)}`);
    return body;
  };

  before(async () => {
    site = await bootAdmin({
      plugins: [...adminPlugins, "render", "feeds", "llms", "auth"],
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
      settings: {
        site: { auth: { mode: "dune", providers: {} } },
        system: { server: { rate_limit: false } },
      },
      files: {
        "content/03.old/default.md":
          "---\ntitle: Old page\n---\n# Old\n\n![Dot](dot.png) [sub](sub.md) [[Sub page]] [home](../01.home/default.md)\n",
        "content/03.old/sub.md": "---\ntitle: Sub page\n---\nBelow.\n",
        "content/03.old/dot.png": await picture(4, 4),
        "content/03.old/dot.png.meta.yaml": "alt: A dot of that time\n",
        "content/04.members/default.md": "---\ntitle: Members\nroles: [member]\n---\nGated.\n",
        "content/05.soon/default.md":
          "---\ntitle: Soon\npublish_date: 2026-01-06T00:00Z\n---\nSoon.\n",
        "content/06.code/page.tsx": 'export default () => "now";\n',
        "content/07.list/blog.md":
          "---\ntitle: List\ncollection: {items: {'@page.children': /}}\n---\n",
      },
    });
    git("init", "-q", "-b", "main");
    await site.write("content/06.code/page.tsx", 'export default () => "then";\n');
    other = commit("other code");
    await site.write("content/06.code/page.tsx", 'export default () => "now";\n');
    first = commit("first");
    git("checkout", "-q", "--orphan", "other");
    hidden = commit("other branch");
    git("tag", "abcdef12");
    git("checkout", "-q", "-f", "main");
    git("checkout", "-q", "--detach");
    unreachable = commit2(git);
    git("checkout", "-q", "main");
    await rm(join(site.root, "content/03.old"), { recursive: true });
    await site.write("content/04.members/default.md", "---\ntitle: Members\n---\nOpen now.\n");
    await site.write("content/08.new/default.md", "---\ntitle: New page\n---\nNew.\n");
    commit("second");
    await site.site.use("content").rebuild();
    editor = await site.as("editor");
  });
  after(() => site.close());

  it("shows a page that was deleted since, with its media, links and sidecars", async () => {
    await text("/old", editor, 404);
    const html = await text(`/old?rev=${first}`);
    assert.match(html, /<img[^>]*alt="Dot"/);
    assert.match(html, new RegExp(`href="/old/sub\\?rev=${first}">sub`));
    assert.match(html, new RegExp(`href="/old/sub\\?rev=${first}">Sub page`));
    assert.match(html, new RegExp(`href="/\\?rev=${first}">home`));
    const [, src = ""] = /src="(\/content-media\/03\.old\/dot\.png\?[^"]*)"/.exec(html) ?? [];
    const image = await editor.send("GET", src);
    assert.equal(image.status, 200);
    assert.equal(image.headers.get("content-type"), "image/png");
    assert.match(image.headers.get("cache-control") ?? "", /private, no-store/);
    assert.equal((await site.fetch(src)).status, 404);
    const beside = await editor.send("GET", `/old/dot.png?rev=${first}`);
    assert.equal(beside.status, 200);
    const etag = beside.headers.get("etag") ?? "";
    const headers = { "if-none-match": etag };
    const again = await editor.send("GET", `/old/dot.png?rev=${first}`, undefined, headers);
    assert.equal(again.status, 304);
    const { items } = await editor.json(200, "GET", `/api/pages/old/media?rev=${first}`);
    assert.equal(items[0].meta.alt, "A dot of that time");
  });

  it("names the commit and its time in a notice", async () => {
    const html = await text(`/old?rev=${first.slice(0, 8)}`);
    const [notice = ""] = /<aside class="site-moment"[\s\S]*?<\/aside>/.exec(html) ?? [];
    assert.match(notice, new RegExp(`<code>${first.slice(0, 10)}</code>`));
    assert.match(notice, /datetime="2026-01-05T10:00:00.000Z"/);
    assert.match(notice, /href="\/old">Show the site of today/);
  });

  it("searches the pages of the commit", async () => {
    const find = async (q: string): Promise<string[]> => {
      const { items } = await editor.json(200, "GET", `/api/search?q=${q}&rev=${first}`);
      return items.map(({ route }: { route: string }) => route);
    };
    assert.deepEqual(await find("below"), ["/old/sub"]);
    assert.deepEqual(await find("new"), []);
    assert.match(await text(`/search?q=below&rev=${first}`), /<mark>Below<\/mark>/);
  });

  it("reads lists, navigation, feeds, Markdown and the API of the commit", async () => {
    for (const path of ["/list", "/api/nav", "/api/pages", "/llms.txt", "/llms-full.txt"]) {
      const body = await text(`${path}?rev=${first}`);
      assert.match(body, /Old page/, path);
      assert.doesNotMatch(body, /New page/, path);
      assert.doesNotMatch(await text(path), /Old page/, path);
    }
    assert.match(await text(`/old.md?rev=${first}`), /# Old/);
    assert.match(await text(`/sitemap.xml?rev=${first}`), /\/old\/sub</);
    await text(`/new?rev=${first}`, editor, 404);
  });

  it("applies schedules at the time of the commit, or at the given time", async () => {
    await text("/soon");
    await text(`/soon?rev=${first}`, editor, 404);
    await text(`/soon?rev=${first}&at=2026-01-07`);
  });

  it("does not run code of the past, unless it is still that of the page", async () => {
    await text(`/code?rev=${first}`);
    const { error } = await editor.json(404, "GET", `/api/pages/code?rev=${other}`);
    assert.match(error, /present version only/);
  });

  it("shows it to no other visitor", async () => {
    for (const path of ["/old", "/api/pages/old", "/content-media/03.old/dot.png", "/old.md"]) {
      await text(`${path}?rev=${first}`, null, 404);
    }
    assert.doesNotMatch(await text(`/api/pages?rev=${first}`, null), /Old page/);
    assert.equal((await site.fetch(`/?rev=${first}`)).headers.get("x-robots-tag"), null);
  });

  it("responds 404 to an unknown commit and 400 to what is no commit", async () => {
    for (const rev of ["0123456789abcdef", "f".repeat(40), unreachable, "abcdef12"]) {
      const { error } = await editor.json(404, "GET", `/api/pages/old?rev=${rev}`);
      assert.match(error, /git log/, rev);
    }
    const names = ["main", "HEAD", "HEAD~1", "--output=x", "--all", "-1", ":/first", "@{1}"];
    const odd = [
      `${first}^{tree}`,
      `${first}~`,
      "refs/heads/main",
      "abc",
      `${first}\n`,
      "%00",
      "é",
    ];
    for (const rev of [...names, ...odd, "a".repeat(65)]) {
      const answer = await editor.send("GET", `/api/pages/old?rev=${encodeURIComponent(rev)}`);
      assert.equal(answer.status, 400, rev);
      assert.match(await answer.text(), /7 hexadecimal digits/);
    }
    const blob = git("rev-parse", `${first}:content/03.old/sub.md`);
    await editor.json(404, "GET", `/api/pages/old?rev=${blob}`);
    assert.equal(git("status", "--porcelain", "--untracked-files=no"), "");
  });

  it("accepts the commits of all branches", async () => {
    await editor.json(200, "GET", `/api/pages?rev=${hidden}`);
  });

  it("answers many readers of a commit at once", async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, () => editor.send("GET", `/old?rev=${first}`)),
    );
    assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200]));
  });

  it("keeps pages gated that were gated then, for links to other pages", async () => {
    await text("/members", null);
    const link = await editor.json(201, "POST", LINKS, {
      path: "03.old/default.md",
      rev: first,
    });
    const opened = await site.fetch(new URL(link.url).pathname);
    const to = opened.headers.get("location") ?? "";
    assert.match(await text(to, null), /Old page/);
    const query = to.split("?")[1] ?? "";
    assert.equal((await site.fetch(`/members?${query}`)).status, 302);
    assert.match(await text(`/members?rev=${first}`), /Gated/);
    await editor.json(404, "POST", LINKS, { path: "08.new/default.md", rev: first });
    await editor.json(404, "POST", LINKS, { path: "03.old/default.md", rev: "0123456789" });
  });
});

/** A commit that no branch contains. */
function commit2(git: (...args: string[]) => string): string {
  git("commit", "-q", "--allow-empty", "-m", "lost");
  return git("rev-parse", "HEAD");
}

describe("a site without a repository", () => {
  it("responds 404 to every commit", async () => {
    const site = await bootAdmin();
    const editor = await site.as("editor");
    await editor.json(404, "GET", "/api/pages/blog?rev=0123456789abcdef");
    await editor.json(400, "GET", "/api/pages/blog?rev=main");
    await site.close();
  });
});
