import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import {
  AUTH_PLUGINS,
  bootAuthSite,
  SITE_URL,
  type AuthSite,
  limitsBy,
} from "../../support/sites/auth-site.js";
import type { BootOptions } from "../../support/sites/boot-site.js";
import type { Browser } from "../../support/browsers/browser.js";
import { rawRequest } from "../../support/servers/raw-request.js";

const MAGIC = { providers: { magicLink: { enabled: true } } };
/** Reports the visitor seen by a handler. */
const echo = definePlugin({
  name: "echo",
  version: "1.0.0",
  setup(site) {
    site.http.jsonPrefix("/echo");
    site.http.route({
      method: "get",
      path: "/echo",
      summary: "the current visitor",
      handler: async (req, res) => {
        const names = req.rawHeaders
          .filter((_, at) => at % 2 === 0)
          .map((name) => name.toLowerCase());
        await site.http.json(req, res, {
          user: req.ctx.state.siteUser ?? null,
          header: req.headers["x-site-user"] ?? null,
          copies: names.filter((name) => /^x[-_]site[-_]user$/.test(name)).length,
        });
      },
    });
  },
});
const files = {
  "content/01.home/default.md": "---\ntitle: Home\n---\nHello",
  "content/02.any/default.md": "---\ntitle: Any\nroles: any\n---\nfor-any-canary",
  "content/03.members/default.md":
    "---\ntitle: Members\nroles: [member]\n---\nfor-members-canary ![a](a.txt)",
  "content/03.members/a.txt": "media-canary",
  "content/03.members/01.child/default.md": "---\ntitle: Child\nroles: [member]\n---\nchild-canary",
};

describe("the current visitor", () => {
  /** The site of tests that need no other settings. */
  let shared: AuthSite;
  let site: AuthSite;
  /** Each test has an hour of its own, with all of its limits. */
  let late = 0;
  const clock = { now: () => Date.now() + late };
  const open = (options: BootOptions = {}): Promise<AuthSite> =>
    bootAuthSite(MAGIC, { files, extraPlugins: [echo, limitsBy(clock)], clock, ...options });
  async function boot(options: BootOptions): Promise<void> {
    site = await open(options);
  }
  before(async () => void (shared = await open()));
  after(() => shared.close());
  beforeEach(() => {
    late += 3_600_000;
    site = shared;
  });
  afterEach(async () => {
    if (site !== shared) return site.close();
    const users = site.site.use("users");
    for (const { id } of await users.list()) await users.delete(id);
  });
  async function member(email = "ann@example.org"): Promise<Browser> {
    const browser = await site.loggedIn(email);
    const user = await site.site.use("users").findByEmail(email);
    await site.site.use("users").grantRole(user?.id ?? "", "member");
    return browser;
  }
  const at = (path: string): string => SITE_URL + path;

  it("is in req.ctx.state.siteUser, x-site-user and the prop user", async () => {
    await boot({
      files: {
        ...files,
        "themes/mine/theme.yaml": "name: mine\nparent: default\n",
        "themes/mine/templates/who.tsx":
          'export default ({ user, siteUser }) => <html><body><p id="who">{user ? user.email : "anonymous"}{siteUser ? " " + siteUser.roles.join() + (siteUser.passwordHash ?? "") : ""}</p></body></html>;',
        "content/04.who/who.md": "---\ntitle: Who\n---\n",
      },
      settings: { site: { theme: { name: "mine" } } },
    });
    const ann = await member();
    const said = await (await ann.go(at("/echo"))).json();
    assert.equal(said.user.email, "ann@example.org");
    assert.deepEqual(said.user.roles, ["member"]);
    assert.deepEqual(JSON.parse(said.header).roles, ["member"]);
    assert.equal(said.copies, 1);
    assert.ok(!("passwordHash" in said.user));
    assert.match(await (await ann.go(at("/who"))).text(), /ann@example\.org member</);
    assert.match(await (await site.fetch("/who")).text(), />anonymous</);
    assert.deepEqual(await (await site.fetch("/echo")).json(), {
      user: null,
      header: null,
      copies: 0,
    });
  });

  it("ignores the header sent by a client, in every spelling and repeated", async () => {
    const { hostname } = new URL(site.url);
    const forged = '{"id":"1","roles":["admin","member"]}';
    for (const name of ["x-site-user", "X-SITE-USER", "x_site_user", "X-Site_User"]) {
      const answer = await rawRequest(
        site.url,
        `GET /echo HTTP/1.1\r\nHost: ${hostname}\r\n${name}: ${forged}\r\n${name}: ${forged}\r\nConnection: close\r\n\r\n`,
      );
      assert.match(answer.text, /"user":null,"header":null,"copies":0/, name);
    }
    const res = await site.fetch("/members", { headers: { "x-site-user": forged } });
    assert.equal(res.status, 302);
  });

  it("is sent in a short ASCII header for any name", async () => {
    const ann = await site.loggedIn("ann@example.org");
    const name = 'é "x" 日本 \u{1f600}';
    const users = site.site.use("users");
    const { id } = (await users.findByEmail("ann@example.org")) ?? { id: "" };
    await users.update(id, (user) => ({ ...user, name }));
    const { header } = await (await ann.go(at("/echo"))).json();
    assert.match(header, /^[\x20-\x7e]+$/);
    assert.equal(JSON.parse(header).name, name);
  });

  it("is in no response header", async () => {
    const ann = await member();
    for (const path of ["/", "/members", "/auth/me", "/api/pages", "/echo"]) {
      assert.equal((await ann.go(at(path))).headers.get("x-site-user"), null);
    }
  });

  it("gates pages: 302 to the login, 403 for the wrong role, 200 for the right one", async () => {
    const res = await site.fetch("/members?a=1");
    assert.deepEqual(
      [res.status, res.headers.get("location")],
      [302, "/auth/login?next=%2Fmembers%3Fa%3D1"],
    );
    const bob = await site.loggedIn("bob@example.org");
    assert.match(await (await bob.go(at("/any"))).text(), /for-any-canary/);
    const refused = await bob.go(at("/members"));
    assert.equal(refused.status, 403);
    assert.ok(!(await refused.text()).includes("canary"));
    const ann = await member();
    const page = await ann.go(at("/members"));
    assert.equal(page.status, 200);
    assert.equal(page.headers.get("cache-control"), "private, no-store");
    assert.match(await page.text(), /for-members-canary/);
  });

  it("gates the page's JSON, children and media as well", async () => {
    const bob = await site.loggedIn("bob@example.org");
    const ann = await member();
    for (const path of [
      "/api/pages/members",
      "/api/pages/members/children",
      "/api/pages/members/media",
      "/api/pages/members/child",
      "/content-media/03.members/a.txt",
      "/members/a.txt",
    ]) {
      for (const browser of [site.browser(), bob]) {
        const res = await browser.go(at(path));
        assert.ok([401, 403, 404, 302].includes(res.status), `${path} ${res.status}`);
        assert.ok(!(await res.text()).includes("canary"), path);
      }
      const res = await ann.go(at(path));
      assert.equal(res.status, 200, path);
      assert.match(res.headers.get("cache-control") ?? "", /private/, path);
      await res.text();
    }
  });

  it("sees gated pages in lists only with the required role", async () => {
    const bob = await site.loggedIn("bob@example.org");
    const ann = await member();
    for (const path of [
      "/api/pages?limit=100",
      "/api/nav",
      "/api/search?q=members",
      "/api/collections?source=@self.children",
    ]) {
      const seen = async (browser: Browser): Promise<string[]> => {
        const res = await browser.go(at(path));
        assert.equal(res.status, 200, path);
        const { items } = await res.json();
        return items.map(({ route }: { route: string }) => route);
      };
      assert.ok(!(await seen(site.browser())).some((route) => /any|members/.test(route)), path);
      assert.ok(!(await seen(bob)).includes("/members"), path);
      assert.ok((await seen(ann)).includes("/members"), path);
      const res = await ann.go(at(path));
      assert.equal(res.headers.get("cache-control"), "private, no-store", path);
      assert.match(res.headers.get("vary") ?? "", /Cookie/);
      assert.ok(!(await seen(site.browser())).some((route) => /any|members/.test(route)), path);
    }
  });

  it("is never mixed up by caches, for any rules", async () => {
    await boot({
      settings: {
        site: { http_cache: { rules: [{ pattern: "/", max_age: 3600 }] } },
        system: { page_cache: { enabled: true } },
      },
    });
    const ann = await member();
    for (const path of ["/members", "/any", "/", "/api/pages", "/api/nav"]) {
      const mine = await ann.go(at(path));
      assert.equal(mine.status, 200);
      assert.equal(mine.headers.get("cache-control"), "private, no-store", path);
      const etag = mine.headers.get("etag") ?? "";
      const others = await site.fetch(path, { headers: { "if-none-match": etag } });
      assert.notEqual(others.status, 304, path);
      const text = await others.text();
      assert.ok(!text.includes("canary") && !text.includes("ann@example.org"), path);
      assert.ok(!text.includes("/members"), path);
      const again = await ann.go(at(path));
      assert.equal(again.headers.get("cache-control"), "private, no-store", path);
    }
  });

  it("loses a revoked role immediately", async () => {
    const ann = await member();
    assert.equal((await ann.go(at("/members"))).status, 200);
    const user = await site.site.use("users").findByEmail("ann@example.org");
    await site.site.use("users").revokeRole(user?.id ?? "", "member");
    assert.equal((await ann.go(at("/members"))).status, 403);
  });

  it("is redirected to loginPath when it is set", async () => {
    site = await bootAuthSite(
      { ...MAGIC, loginPath: "/welcome" },
      { files, plugins: AUTH_PLUGINS },
    );
    const res = await site.fetch("/members");
    assert.deepEqual([res.status, res.headers.get("location")], [302, "/welcome?next=%2Fmembers"]);
  });
});
