import assert from "node:assert/strict";
import { adminPlugins } from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const LINKS = "/admin/api/preview-links";
const path = "02.blog/02.second/post.md";
const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");
const DAY = 86_400_000;

describe("preview links", () => {
  let now = Date.parse("2026-05-01T00:00:00Z");
  const site = useFreshAdmin({
    plugins: [...adminPlugins, "render"],
    clock: { now: () => now },
    files: { "content/02.blog/02.second/dot.gif": picture, "content/02.blog/dot.gif": picture },
  });
  const editor = site.user("editor");
  const author = site.user("author");
  const open = (url: string) => site.fetch(new URL(url).pathname);

  it("show an unpublished page, then its working copy, without an account", async () => {
    const link = await author.json(201, "POST", LINKS, { path });
    assert.equal(link.expiresAt, now + 7 * DAY);
    assert.match(link.url, /^http:\/\/localhost:8000\/_site\/preview\/[\w-]{60}$/);
    const page = await open(link.url);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /<a href="\/blog\/first">first<\/a>/);
    assert.equal(page.headers.get("x-robots-tag"), "noindex, nofollow");
    assert.equal(page.headers.get("referrer-policy"), "no-referrer");
    assert.match(page.headers.get("cache-control") ?? "", /no-store/);
    await author.json(201, "PUT", `/admin/api/drafts/${path}`, { content: "Working copy of it." });
    assert.match(await (await open(link.url)).text(), /Working copy of/);
    assert.equal((await site.fetch("/blog/second")).status, 404);
  });

  it("show the page's media to the same browser only, and no other hidden ones", async () => {
    const dot = "/content-media/02.blog/02.second/dot.gif";
    const { url } = await author.json(201, "POST", LINKS, { path });
    assert.equal((await site.fetch(dot)).status, 404);
    const [set = ""] = (await open(url)).headers.getSetCookie();
    assert.match(set, /^site_preview=[\w-]+; Path=\/content-media\/; Max-Age=604800; HttpOnly/);
    const cookie = set.split(";")[0] ?? "";
    const seen = await site.fetch(dot, { headers: { cookie } });
    assert.equal(seen.status, 200);
    assert.match(seen.headers.get("cache-control") ?? "", /private/);
    assert.equal((await site.fetch(dot)).status, 404);
    const blog = await editor.json(200, "GET", "/admin/api/pages/02.blog/blog.md");
    await editor.json(200, "PUT", "/admin/api/pages/02.blog/blog.md", {
      content: blog.raw.replace("title", "published: false\ntitle"),
    });
    const other = await site.fetch("/content-media/02.blog/dot.gif", { headers: { cookie } });
    assert.equal(other.status, 404);
    now += 8 * DAY;
    assert.equal((await site.fetch(dot, { headers: { cookie } })).status, 404);
  });

  it("end when they expire or are revoked", async () => {
    const short = await author.json(201, "POST", LINKS, { path, expiresIn: 3_600 });
    const long = await author.json(201, "POST", LINKS, { path });
    const { items } = await editor.json(200, "GET", LINKS);
    assert.equal(items.length, 2);
    assert.doesNotMatch(JSON.stringify(items), /url|hash/);
    now += 3_600_000;
    assert.equal((await open(short.url)).status, 404);
    assert.equal((await editor.json(200, "GET", LINKS)).total, 1);
    assert.equal((await open(long.url)).status, 200);
    await editor.json(200, "DELETE", `${LINKS}/${long.id}`);
    assert.equal((await open(long.url)).status, 404);
    assert.equal((await editor.send("DELETE", `${LINKS}/${long.id}`)).status, 404);
  });

  it("cannot be forged, and are revoked by their authors or editors", async () => {
    const { url, id } = await editor.json(201, "POST", LINKS, { path });
    assert.equal((await author.send("DELETE", `${LINKS}/${id}`)).status, 403);
    const changed = url.slice(0, -1) + (url.endsWith("A") ? "B" : "A");
    for (const one of [changed, `${url}A`, url.replace(id, "0".repeat(16)), url.slice(0, -44)]) {
      assert.equal((await open(one)).status, 404, one);
    }
    assert.equal((await open(url)).status, 200);
  });

  it("need a page, rights and a sensible lifetime", async () => {
    assert.equal((await author.send("POST", LINKS, { path: "none.md" })).status, 404);
    for (const expiresIn of [0, -1, 1e12, "7d", 1.5]) {
      assert.equal((await author.send("POST", LINKS, { path, expiresIn })).status, 400);
    }
    assert.equal((await author.send("DELETE", `${LINKS}/__proto__`)).status, 404);
    assert.equal((await site.fetch(LINKS)).status, 401);
  });
});
