import assert from "node:assert/strict";
import { adminPlugins, bootAdmin } from "../../../support/sites/admin-site.js";
import type { AdminClient, AdminSite } from "../../../support/sites/admin-site.js";
import { picture } from "../../../support/content/pictures.js";

const LINKS = "/admin/api/preview-links";
const LATER = "2027-06-01T09:00Z";
const DAY = 86_400_000;
const NOW = Date.parse("2027-05-01T12:00:00Z");

const page = (title: string, more = "", body = "Text.") =>
  `---\ntitle: ${title}\n${more}---\n${body}\n`;

describe("the site at another time", () => {
  let site: AdminSite;
  let editor: AdminClient;
  let now = NOW;
  before(async () => {
    site = await bootAdmin({
      plugins: [...adminPlugins, "render", "feeds", "llms", "auth"],
      clock: { now: () => now },
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
      settings: {
        site: { url: "http://localhost:8000", auth: { mode: "dune", providers: {} } },
        system: { server: { rate_limit: false } },
      },
      files: {
        "content/03.offers/blog.md": page(
          "Offers",
          "collection: {items: {'@self.children': true}, order: {by: date, dir: desc}}\n",
        ),
        "content/03.offers/01.summer/post.md": page(
          "Summer sale",
          "date: 2027-05-02\npublish_date: 2027-05-20T08:00Z\n",
          "![Sun](sun.png) and [all](/offers) and [search](https://example.org/?at=1)",
        ),
        "content/03.offers/01.summer/sun.png": await picture(30, 20),
        "content/03.offers/02.spring/post.md": page(
          "Spring sale",
          "date: 2027-03-01\nunpublish_date: 2027-05-10T08:00Z\n",
        ),
        "content/03.offers/03.idea/post.md": page("Secret idea", "status: draft\n"),
        "content/04.members/default.md": page("Members only", "roles: [member]\n"),
      },
    });
    editor = await site.as("editor");
  });
  beforeEach(() => void (now = NOW));
  after(() => site.close());

  const text = async (path: string, who: AdminClient | null = editor, status = 200) => {
    const answer = await (who === null ? site.fetch(path) : who.send("GET", path));
    const body = await answer.text();
    assert.equal(answer.status, status, `${path}: ${body.slice(0, 300)}`);
    return body;
  };
  const sameToAll = async (path: string, query: string) => {
    const headers = { "accept-encoding": "identity" };
    const plain = await site.fetch(path, { headers });
    const asked = await site.fetch(`${path}?${query}`, { headers });
    assert.equal(asked.status, plain.status, `${path}?${query}`);
    assert.equal(await asked.text(), await plain.text());
    const ignored = new Set(["date", "x-request-id", "keep-alive", "connection"]);
    const headersOf = (answer: Response) =>
      [...answer.headers].filter(([name]) => !ignored.has(name));
    assert.deepEqual(headersOf(asked), headersOf(plain));
  };

  it("shows pages that will be published, and hides those that will have ended", async () => {
    assert.equal((await site.fetch("/offers/summer")).status, 404);
    const shown = await editor.send("GET", `/offers/summer?at=${LATER}`);
    assert.equal(shown.status, 200);
    assert.match(await shown.text(), /Summer sale/);
    await text("/offers/spring");
    await text(`/offers/spring?at=${LATER}`, editor, 404);
    await text(`/offers/summer?at=2027-05-20T07:59Z`, editor, 404);
    await text(`/offers/summer?at=2027-05-20T10:00%2B02:00`);
    await text(`/offers/summer?at=2027-05-20T10:00+02:00`);
    await text(`/offers/summer?at=2027-05-21`);
  });

  it("hides drafts, which will not be published by themselves", async () => {
    await text("/offers/idea");
    await text(`/offers/idea?at=${LATER}`, editor, 404);
  });

  it("reads lists, navigation, feeds, Markdown and the API at the moment", async () => {
    const list = await text(`/offers?at=${LATER}`);
    assert.match(list, /Summer sale/);
    assert.doesNotMatch(list, /Spring sale|Secret idea/);
    const { items } = await editor.json(200, "GET", `/api/pages?template=post&at=${LATER}`);
    const routes = items.map(({ route }: { route: string }) => route);
    assert.deepEqual(routes, ["/offers/summer", "/blog/first"]);
    const drafts = await editor.json(200, "GET", `/api/pages?published=false&at=${LATER}`);
    assert.deepEqual(drafts.items, []);
    assert.match(await text(`/api/nav?tree=true&at=${LATER}`), /Summer sale/);
    assert.match(await text(`/feed.xml?at=${LATER}`), /Summer sale/);
    assert.match(await text(`/offers/summer.md?at=${LATER}`), /and \[all\]/);
    assert.match(await text(`/llms.txt?at=${LATER}`), /Summer sale/);
    assert.match(await text(`/sitemap.xml?at=${LATER}`), /offers\/summer/);
    assert.doesNotMatch(await text("/sitemap.xml", null), /offers\/summer/);
  });

  it("keeps the moment in the links, forms and pictures of its pages", async () => {
    const html = await text(`/offers/summer?at=${LATER}`);
    assert.match(html, /<a href="\/offers\?at=2027-06-01T09:00Z">all<\/a>/);
    assert.match(html, /src="\/content-media\/03\.offers\/01\.summer\/sun\.png\?[^"]*at=2027/);
    assert.match(html, /<form[^>]*role="search"[^>]*><input type="hidden" name="at" value="2027/);
    assert.match(html, /rel="canonical" href="http:\/\/localhost:8000\/offers\/summer"/);
    assert.match(html, /href="https:\/\/example\.org\/\?at=1"/);
    assert.doesNotMatch(html, /(?:href|src)="\/themes\/[^"]*at=2027/);
    const media = `/content-media/03.offers/01.summer/sun.png`;
    assert.equal((await site.fetch(media)).status, 404);
    for (const query of [`?at=${LATER}`, `?width=320&at=${LATER}`]) {
      const seen = await editor.send("GET", media + query);
      assert.equal(seen.status, 200, query);
      assert.match(seen.headers.get("cache-control") ?? "", /private, no-store/);
      assert.equal((await site.fetch(media + query)).status, 404);
    }
  });

  it("names the moment in a notice with a link to the present", async () => {
    const html = await text(`/offers?x=1&at=${LATER}`);
    const [notice = ""] = /<aside class="site-moment"[\s\S]*?<\/aside>/.exec(html) ?? [];
    assert.match(notice, /as it will be on <time datetime="2027-06-01T09:00:00.000Z">June 1, 2027/);
    assert.match(notice, /<a href="\/offers\?x=1">Show the site of today<\/a>/);
    assert.match(html, /<link rel="stylesheet" href="\/_site\/moment\.css\?v=/);
    assert.match(await text(`/none?at=${LATER}`, editor, 404), /site-moment/);
    assert.doesNotMatch(await text("/offers", null), /site-moment|moment\.css/);
  });

  it("is never cached nor indexed", async () => {
    for (const path of [
      "/offers",
      "/none",
      "/api/pages",
      "/api/pages/none",
      "/feed.xml",
      "/blog/",
    ]) {
      const answer = await editor.send("GET", `${path}?at=${LATER}`);
      assert.equal(answer.headers.get("cache-control"), "private, no-store", path);
      assert.equal(answer.headers.get("x-robots-tag"), "noindex, nofollow", path);
    }
  });

  it("answers If-None-Match and HEAD", async () => {
    const path = `/offers?at=${LATER}`;
    const full = await editor.send("GET", path);
    const etag = full.headers.get("etag") ?? "";
    const head = await editor.send("HEAD", path);
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("etag"), etag);
    assert.equal(head.headers.get("content-length"), full.headers.get("content-length"));
    const again = await editor.send("GET", path, undefined, { "if-none-match": etag });
    assert.equal(again.status, 304);
    assert.equal(again.headers.get("cache-control"), "private, no-store");
    assert.notEqual((await site.fetch("/offers")).headers.get("etag"), etag);
  });

  it("ignores the parameters of visitors: same bytes, same cache entry", async () => {
    for (const path of ["/", "/offers", "/none", "/offers/summer", "/api/pages", "/feed.xml"]) {
      for (const query of [`at=${LATER}`, "rev=0123456789", "preview=x", `at=x&rev=--output`]) {
        await sameToAll(path, query);
      }
    }
    const stats = () => site.site.use("cache").stats();
    await site.fetch("/");
    const before = stats();
    await site.fetch(`/?at=${LATER}`);
    await site.fetch(`/?rev=abcdef1234&at=now`);
    const after = stats();
    assert.equal(after.entries, before.entries);
    assert.equal(after.hits, before.hits + 2);
    const kept = await site.fetch(`/blog/?at=${LATER}&x=1`);
    assert.equal(kept.headers.get("location"), "/blog?x=1");
  });

  it("ignores the parameters of accounts without pages.read for the whole site", async () => {
    const limited = await site.withToken(["pages.read"], { paths: ["offers/**"] });
    await text(`/offers/summer?at=${LATER}`, limited, 404);
    assert.doesNotMatch(await text(`/offers?at=${LATER}`, limited), /Summer sale|site-moment/);
  });

  it("responds 400 to a malformed time, with the fix, only to accounts with access", async () => {
    for (const at of ["tomorrow", "2027-13-01", "2027-02-30T10:00Z", "1", "2027-06-01T25:00Z"]) {
      const { error } = await editor.json(400, "GET", `/api/pages?at=${at}`);
      assert.match(error, /^at: .* is not a date and time; write 2027-06-01T09:00Z$/);
    }
    await editor.json(400, "GET", `/api/pages?at=${LATER}&at=2027-06-02`);
    await editor.json(400, "GET", `/api/pages?at=${"9".repeat(5_000)}`);
    await editor.json(200, "GET", `/api/pages?at=`);
  });

  it("acts on reads only, and not in the panel", async () => {
    const sent = await editor.send("POST", `/offers?at=tomorrow`, {});
    assert.equal(sent.status, 405);
    await editor.json(200, "GET", "/admin/api/pages?at=tomorrow");
  });

  it("searches the pages of the moment, by the rules of search", async () => {
    const routes = async (query: string): Promise<string[]> => {
      const { items } = await editor.json(200, "GET", `/api/search?${query}`);
      return items.map(({ route }: { route: string }) => route);
    };
    assert.deepEqual(await routes("q=sale"), ["/offers/spring"]);
    assert.deepEqual(await routes(`q=sale&at=${LATER}`), ["/offers/summer"]);
    assert.deepEqual(await routes(`q=idea&at=${LATER}`), []);
    assert.ok((await routes(`template=post&at=${LATER}`)).includes("/offers/summer"));
    const hits = async (query: string): Promise<unknown> =>
      (await editor.json(200, "GET", `/api/search?${query}`)).items;
    for (const query of ["q=spring+sale", "q=sale&template=post", "q=sal+post&limit=1&offset=1"]) {
      assert.deepEqual(await hits(`${query}&at=2027-05-01T12:00Z`), await hits(query), query);
    }
    const answer = await editor.send(
      "GET",
      `/api/search?q=search&at=${LATER}&similar=1&sections=1`,
    );
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    const { items, similar, sections, total } = await answer.json();
    assert.match(items[0].excerpt, /<mark>search<\/mark>/);
    assert.deepEqual([similar, sections, total], [[], {}, 1]);
    const suggest = `/api/search/suggest?q=sa&at=${LATER}`;
    assert.deepEqual(await editor.json(200, "GET", suggest), { suggestions: [] });
    const html = await text(`/search?q=sale&at=${LATER}`);
    assert.match(html, /href="\/offers\/summer\?at=2027-06-01T09:00Z"/);
    assert.doesNotMatch(html, /href="\/offers\/spring/);
  });

  it("searches the present for visitors without access", async () => {
    const found = await text(`/api/search?q=sale&at=${LATER}`, null);
    assert.match(found, /Spring sale/);
    assert.doesNotMatch(found, /Summer/);
  });

  describe("through a link", () => {
    const linkTo = (path: string, more = {}) =>
      editor.json(201, "POST", LINKS, { path, at: LATER, ...more });
    const open = async (url: string) => {
      const answer = await site.fetch(new URL(url).pathname);
      assert.equal(answer.status, 302);
      assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
      return answer.headers.get("location") ?? "";
    };

    it("shows the site of its moment to people without an account", async () => {
      const link = await linkTo("03.offers/01.summer/post.md");
      assert.equal(link.at, LATER);
      const to = await open(link.url);
      assert.match(to, /^\/offers\/summer\?preview=[\w-]{60}$/);
      const seen = await site.fetch(to);
      assert.equal(seen.status, 200);
      assert.equal(seen.headers.get("cache-control"), "private, no-store");
      assert.match(seen.headers.get("x-robots-tag") ?? "", /noindex/);
      const html = await seen.text();
      assert.match(html, /site-moment/);
      const [next = ""] = /href="(\/offers\?preview=[^"]*)"/.exec(html)?.slice(1) ?? [];
      assert.match(await text(next, null), /Summer sale/);
      const [image = ""] = /src="(\/content-media\/[^"]*)"/.exec(html)?.slice(1) ?? [];
      const seenImage = await site.fetch(image.replaceAll("&amp;", "&"));
      assert.equal(seenImage.status, 200);
      assert.match(seenImage.headers.get("cache-control") ?? "", /private/);
    });

    it("gets the moment from the API, although the present response is cached", async () => {
      const { url } = await linkTo("03.offers/01.summer/post.md");
      const query = (await open(url)).split("?")[1] ?? "";
      const before = await text("/api/pages?template=post", null);
      assert.doesNotMatch(before, /Summer sale/);
      assert.match(await text(`/api/pages?template=post&${query}`, null), /Summer sale/);
      assert.equal(await text("/api/pages?template=post", null), before);
    });

    it("shows no other moment than its own", async () => {
      const { url } = await linkTo("03.offers/01.summer/post.md");
      const query = (await open(url)).split("?")[1] ?? "";
      await text(`/offers/summer?at=2027-05-02&rev=x&${query}`, null);
    });

    it("opens the gated page it is for, and no other one", async () => {
      const other = (await open((await linkTo("03.offers/blog.md")).url)).split("?")[1] ?? "";
      const gated = await site.fetch(`/members?${other}`);
      assert.equal(gated.status, 302);
      assert.match(gated.headers.get("location") ?? "", /login/);
      assert.doesNotMatch(await text(`/api/pages?${other}`, null), /Members only/);
      const own = await open((await linkTo("04.members/default.md")).url);
      assert.match(await text(own, null), /Members only/);
      assert.match(await text(`/members?at=${LATER}`), /Members only/);
    });

    it("ends when it expires or is revoked", async () => {
      const link = await linkTo("03.offers/blog.md", { expiresIn: 3_600 });
      const other = await linkTo("03.offers/blog.md");
      const [to, toOther] = [await open(link.url), await open(other.url)];
      now += 3_600_000;
      assert.doesNotMatch(await text(to, null), /site-moment/);
      assert.match(await text(toOther, null), /site-moment/);
      await editor.json(200, "DELETE", `${LINKS}/${other.id}`);
      assert.doesNotMatch(await text(toOther, null), /site-moment/);
      await sameToAll("/offers", toOther.split("?")[1] ?? "");
      now += DAY;
    });

    it("needs a page that is public then, and pages.read for the whole site", async () => {
      for (const path of ["03.offers/02.spring/post.md", "03.offers/03.idea/post.md", "none.md"]) {
        await editor.json(404, "POST", LINKS, { path, at: LATER });
      }
      await editor.json(400, "POST", LINKS, { path: "03.offers/blog.md", at: "soon" });
      const paths = ["offers/**"];
      const limited = await site.withToken(["pages.read", "pages.update"], { paths });
      await limited.json(403, "POST", LINKS, { path: "03.offers/blog.md", at: LATER });
    });
  });
});
