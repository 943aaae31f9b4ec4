import assert from "node:assert/strict";
import { client, type AdminClient } from "../../support/sites/admin-site.js";
import { rawRequest } from "../../support/servers/raw-request.js";
import { useAdmin } from "../../support/sites/use-site.js";

const rights: Record<string, readonly string[]> = {
  author: [
    "pages.read",
    "pages.create",
    "pages.update",
    "media.upload",
    "flex.read",
    "submissions.read",
  ],
  editor: [
    "pages.read",
    "pages.create",
    "pages.update",
    "pages.delete",
    "pages.publish",
    "media.upload",
    "media.delete",
    "flex.read",
    "flex.write",
    "submissions.read",
    "config.read",
    "comments.moderate",
    "redirects.update",
  ],
};

/** Continues under another cookie. */
const END_SESSIONS = "delete /admin/api/me/sessions";

describe("the guard of the admin", () => {
  const site = useAdmin({ env: { SITE_ENV: "production" } });

  const addresses = () =>
    site.site.use("admin").routes.map((route) => ({
      ...route,
      url: route.path.replaceAll(/[:*]\w+/g, "none"),
    }));

  it("only exposes the login page, the ways to sign in and their files", () => {
    const open = addresses().filter(({ permission }) => permission === "none");
    assert.deepEqual(
      open.map(({ method, path }) => `${method} ${path.replace(/\.[0-9a-f]{10}\./, ".")}`),
      [
        "get /admin/assets/admin.css",
        "get /admin/assets/passkey-login.js",
        "get /admin/login",
        "post /admin/login",
        "post /admin/login/passkey/options",
        "post /admin/login/passkey",
        "get /admin/invitations/:token",
        "post /admin/invitations/:token",
        "post /admin/api/password-reset",
        "post /admin/reset",
        "get /admin/reset",
        "get /admin/reset/:token",
        "post /admin/reset/:token",
        "get /admin/email/:token",
        "post /admin/email/:token",
      ],
    );
    assert.ok(addresses().length > 40, "the table is not empty");
  });

  it("knows every route of the site below its prefix", () => {
    const known = new Set(addresses().map(({ method, path }) => `${method} ${path}`));
    const routes = site.site
      .context("admin")
      .http.routes.filter(({ path }) => path.startsWith("/admin"));
    assert.deepEqual(
      routes.filter(({ method, path }) => !known.has(`${method} ${path}`)).map(({ path }) => path),
      [],
    );
  });

  it("responds 401 or redirects to the login page without a session", async () => {
    for (const { method, url, permission } of addresses()) {
      if (permission === "none") continue;
      for (const verb of [method.toUpperCase(), "HEAD", "POST", "DELETE"]) {
        const { status, headers } = await site.fetch(url, { method: verb });
        const isPageRead = !url.startsWith("/admin/api") && (verb === "GET" || verb === "HEAD");
        assert.equal(status, isPageRead ? 302 : 401, `${verb} ${url}`);
        const challenge = isPageRead ? null : 'Bearer realm="admin"';
        assert.equal(headers.get("www-authenticate"), challenge, `${verb} ${url}`);
      }
    }
  });

  for (const role of ["member", "author", "editor"]) {
    it(`lets role ${role} use its permissions and names a missing one`, async () => {
      const client = await site.as(role);
      const rightsOf = new Set(rights[role] ?? []);
      if (role === "member") assert.equal(client.cookie, "", "a visitor's role opens no session");
      for (const { method, url, permission } of addresses()) {
        const endsSession = url === "/admin/logout" || `${method} ${url}` === END_SESSIONS;
        if (permission === "none" || endsSession) continue;
        const answer = await client.send(method.toUpperCase(), url);
        if (role === "member")
          assert.ok([302, 401].includes(answer.status), `${url} ${answer.status}`);
        else if (permission === "any" || rightsOf.has(permission)) {
          assert.notEqual(answer.status, 401, `${method} ${url}`);
          if (answer.status === 403) assert.fail(`${method} ${url}: ${await answer.text()}`);
        } else {
          assert.equal(answer.status, 403, `${method} ${url}`);
          const text = await answer.text();
          if (url.startsWith("/admin/api"))
            assert.match(text, new RegExp(permission.replace(".", "\\.")));
        }
      }
    });
  }

  it("rejects a disabled account and a revoked role immediately", async () => {
    const users = site.site.use("users");
    const editor = await site.as("editor", { username: "demoted" });
    assert.equal((await editor.send("GET", "/admin/api/settings/site")).status, 200);
    await users.update(editor.id, (user) => ({ ...user, roles: ["author"] }));
    assert.equal((await editor.send("GET", "/admin/api/settings/site")).status, 403);
    await users.update(editor.id, (user) => ({ ...user, enabled: false }));
    assert.equal((await editor.send("GET", "/admin/api/pages")).status, 401);
  });

  for (const path of [
    "/admin/../admin/api/introspect",
    "//admin/api/introspect",
    "/ADMIN/api/introspect",
    "/admin%2fapi/introspect",
    "/admin;x/api/introspect",
    "/admin/./api/introspect",
    "/%61dmin/api/introspect",
    "/admin/api/introspect/",
    "/administrivia",
  ]) {
    it(`reaches no handler by ${path}`, async () => {
      const answer = await rawRequest(
        site.url,
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.doesNotMatch(answer.text, /"plugins"/);
      if (path === "/administrivia") assert.match(answer.text, /HTTP\/1\.1 404/);
    });
  }

  describe("CSRF", () => {
    let editor: AdminClient;
    before(async () => {
      editor = await site.as("editor", { username: "csrf-editor" });
    });
    const evil: [name: string, headers: Record<string, string>, message: RegExp][] = [
      ["another origin", { origin: "https://evil.example" }, /Origin is "https:\/\/evil\.example"/],
      ["Origin null", { origin: "null" }, /Origin is "null"/],
      [
        "Sec-Fetch-Site cross-site",
        { "sec-fetch-site": "cross-site" },
        /Sec-Fetch-Site is "cross-site"/,
      ],
      [
        "Sec-Fetch-Site same-site",
        { "sec-fetch-site": "same-site" },
        /Sec-Fetch-Site is "same-site"/,
      ],
      [
        "no header that says where from",
        { "sec-fetch-site": "" },
        /neither Origin nor Sec-Fetch-Site.*Authorization: Bearer/,
      ],
      ["no CSRF token", { "x-csrf-token": "" }, /x-csrf-token.* is missing.*csrfToken/],
      [
        "another CSRF token",
        { "x-csrf-token": "A".repeat(43) },
        /x-csrf-token.* is not that of this session/,
      ],
    ];
    for (const [name, headers, message] of evil) {
      it(`rejects a change with ${name}`, async () => {
        const body = { path: "09.csrf/default.md", content: "# Hi" };
        const answer = await editor.send("POST", "/admin/api/pages", body, headers);
        assert.equal(answer.status, 403);
        assert.match(String(Object(await answer.json())["error"]), message);
        assert.equal(await site.site.use("content").source("09.csrf/default.md"), null);
      });
    }
    it("rejects a form instead of JSON", async () => {
      const headers = { "content-type": "text/plain" };
      const answer = await editor.send(
        "POST",
        "/admin/api/pages",
        '{"path":"a.md","content":""}',
        headers,
      );
      assert.equal(answer.status, 415);
    });
    it("accepts a change with a token from the site's own page", async () => {
      const body = { path: "09.csrf/default.md", content: "# Hi" };
      assert.equal((await editor.send("POST", "/admin/api/pages", body)).status, 201);
    });
  });

  it("redirects to the requested page after login, unless it is too long or not on this site", async () => {
    const to = async (path: string) => (await site.fetch(path)).headers.get("location");
    assert.equal(
      await to("/admin/nothing?a=1&b=2"),
      "/admin/login?next=%2Fadmin%2Fnothing%3Fa%3D1%26b%3D2",
    );
    assert.equal(await to(`/admin/nothing?q=${"x".repeat(8_000)}`), "/admin/login");
    assert.equal(await to("/admin"), "/admin/login");
  });

  it("rejects a visitor's session", async () => {
    const editor = await site.as("editor", { username: "mixed" });
    const value = editor.cookie.replace("site_admin=", "");
    const asVisitor = client(site, { id: "", cookie: `site_auth=${value}`, csrf: editor.csrf });
    assert.equal((await asVisitor.send("GET", "/admin/api/pages")).status, 401);
  });

  it("sends no-store and frame protection", async () => {
    const editor = await site.as("editor", { username: "headers" });
    for (const path of ["/admin/api/pages", "/admin", "/admin/login", "/admin/api/none"]) {
      const answers = [await site.fetch(path), await editor.send("GET", path)] as const;
      for (const { headers } of answers) {
        assert.match(headers.get("cache-control") ?? "", /no-store/, path);
        assert.equal(headers.get("x-frame-options"), "DENY", path);
      }
      const { headers } = answers[1];
      assert.match(headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/, path);
      assert.doesNotMatch(headers.get("content-security-policy") ?? "", /unsafe-inline/, path);
    }
    assert.notEqual((await site.fetch("/api/pages")).headers.get("x-frame-options"), "DENY");
  });

  it("records denials in the audit log", async () => {
    const author = await site.as("author", { username: "denied" });
    assert.equal((await author.send("GET", "/admin/api/users")).status, 403);
    const denied = (await site.audit()).filter(
      ({ event, actor }) => event === "auth.denied" && actor?.id === author.id,
    );
    assert.equal(denied.length, 1);
    assert.equal(denied[0]?.detail["needed"], "users.manage");
  });

  it("shows unpublished pages of the public API only to a session with pages.read", async () => {
    const author = await site.as("author", { username: "viewer" });
    const seen = await author.json(200, "GET", "/api/pages?published=false");
    assert.deepEqual(
      seen.items.map(({ route, published }: Record<string, unknown>) => [route, published]),
      [["/blog/second", false]],
    );
    const others = (await (await site.fetch("/api/pages?published=false")).json()) as {
      items: unknown[];
    };
    assert.deepEqual(others.items, []);
    const { token } = await author.json(201, "POST", "/admin/api/tokens", {
      name: "t",
      permissions: ["pages.read"],
    });
    const bearer = client(site, { id: "", cookie: "", csrf: "", bearer: token });
    const answer = await bearer.send("GET", "/api/pages?published=false");
    assert.match(answer.headers.get("cache-control") ?? "", /private/);
    assert.equal(((await answer.json()) as { items: unknown[] }).items.length, 1);
  });
});
