import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { RecordedLog } from "#testing";
import type { PersonalData } from "../../../../plugins/auth/contract.js";
import {
  AUTH_PLUGINS,
  bootAuthSite,
  SITE_URL,
  type AuthSite,
  limitsBy,
} from "../../../support/sites/auth-site.js";
import type { Browser } from "../../../support/browsers/browser.js";

const auth = { mode: "dune", providers: { magicLink: { enabled: true } }, userStore: "local" };

describe("the page of a visitor's account", () => {
  let site: AuthSite;
  let now = Date.parse("2026-11-25T10:00:00Z");
  const clock = { now: () => now };
  const erased: string[] = [];
  const wishes: PersonalData = {
    fate: { deleted: "wishes", kept: "bills, because they must be kept" },
    export: async ({ email }) => [`wish of ${email}`],
    erase: async ({ email }) => void erased.push(email),
  };
  before(async () => {
    site = await bootAuthSite(auth, {
      plugins: [...AUTH_PLUGINS, "forms", "content"],
      clock,
      extraPlugins: [
        limitsBy(clock),
        definePlugin({
          name: "wishes",
          version: "1.0.0",
          after: ["auth"],
          setup: (context) => context.extensions.add("personalData", wishes),
        }),
      ],
    });
  });
  after(() => site.close());
  beforeEach(() => {
    now += 3_600_000;
  });
  afterEach(async () => {
    const users = site.site.use("users");
    for (const { id } of await users.list()) await users.delete(id);
    erased.length = 0;
  });

  const page = async (visitor: Browser) => {
    const html = await (await visitor.go(`${SITE_URL}/auth/account`)).text();
    return { html, csrf: /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? "" };
  };
  const post = (
    visitor: Browser,
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { "sec-fetch-site": "same-origin" },
  ) =>
    visitor.go(`${SITE_URL}${path}`, {
      method: "POST",
      body: new URLSearchParams(fields),
      headers,
    });

  it("needs a login", async () => {
    const answer = await site.browser().go(`${SITE_URL}/auth/account`);
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.get("location"), "/auth/login?next=%2Fauth%2Faccount");
    assert.equal((await site.browser().go(`${SITE_URL}/auth/account/data`)).status, 401);
  });

  it("shows and changes the name, for requests of this page alone", async () => {
    const visitor = await site.loggedIn("ada@example.org");
    const { html, csrf } = await page(visitor);
    assert.match(html, /ada@example\.org/);
    assert.match(html, /bills, because they must be kept/);
    const name = "<b>Ada</b>\r\n";
    assert.equal((await post(visitor, "/auth/account", { name })).status, 403);
    assert.equal((await post(visitor, "/auth/account", { name, _csrf: `${csrf}x` })).status, 403);
    const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    assert.equal(
      (await post(visitor, "/auth/account", { name, _csrf: csrf }, elsewhere)).status,
      403,
    );
    const saved = await post(visitor, "/auth/account", { name, _csrf: csrf });
    assert.equal(saved.headers.get("location"), "/auth/account?message=saved");
    assert.match((await page(visitor)).html, /value="&lt;b(?:&gt;|>)Ada&lt;/);
  });

  it("lists sessions and ends others", async () => {
    const visitor = await site.loggedIn("ada@example.org");
    const other = await site.loggedIn("ada@example.org");
    const stranger = await site.loggedIn("eve@example.org");
    const { html, csrf } = await page(visitor);
    const ids = [...html.matchAll(/name="id" value="([0-9a-f]{64})"/g)].map(([, id]) => id ?? "");
    assert.equal(ids.length, 1);
    const foreign = { id: ids[0] ?? "", _csrf: (await page(stranger)).csrf };
    await post(stranger, "/auth/account/sessions", foreign);
    assert.equal((await other.go(`${SITE_URL}/auth/me`)).status, 200);
    await post(visitor, "/auth/account/sessions", { id: ids[0] ?? "", _csrf: csrf });
    assert.equal((await other.go(`${SITE_URL}/auth/me`)).status, 401);
    assert.equal((await visitor.go(`${SITE_URL}/auth/me`)).status, 200);
  });

  it("exports what all plugins store, without secrets", async () => {
    const visitor = await site.loggedIn("ada@example.org");
    const answer = await visitor.go(`${SITE_URL}/auth/account/data`);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    const data = await answer.json();
    assert.equal(data.account.email, "ada@example.org");
    assert.deepEqual(data.wishes, ["wish of ada@example.org"]);
    assert.deepEqual(data.forms, []);
    assert.doesNotMatch(JSON.stringify(data), /passwordHash/);
  });

  it("deletes the account only after a fresh login", async () => {
    const visitor = await site.loggedIn("ada@example.org");
    now += 11 * 60_000;
    const { csrf, html } = await page(visitor);
    assert.doesNotMatch(html, /action="\/auth\/account\/delete"/);
    assert.equal((await post(visitor, "/auth/account/delete", { _csrf: csrf })).status, 403);
    const again = await post(visitor, "/auth/account/again", { _csrf: csrf });
    assert.equal(again.headers.get("location"), "/auth/login?next=%2Fauth%2Faccount");
    assert.equal((await visitor.go(`${SITE_URL}/auth/me`)).status, 401);
    await visitor.go(await site.linkFor({ email: "ada@example.org" }));
    const fresh = await page(visitor);
    const gone = await post(visitor, "/auth/account/delete", { _csrf: fresh.csrf });
    assert.equal(gone.status, 302);
    assert.deepEqual(erased, ["ada@example.org"]);
    assert.equal((await visitor.go(`${SITE_URL}/auth/me`)).status, 401);
    assert.equal(await site.site.use("users").findByEmail("ada@example.org"), null);
  });

  it("limits changes", async () => {
    const visitor = await site.loggedIn("ada@example.org");
    const { csrf } = await page(visitor);
    const statuses = new Set<number>();
    for (let count = 0; count < 31; count += 1)
      statuses.add((await post(visitor, "/auth/account", { name: "A", _csrf: csrf })).status);
    assert.deepEqual([...statuses], [302, 429]);
  });
});

describe("the data of a visitor, with a plugin whose part of it", () => {
  let site: AuthSite | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });
  const usual = { fate: {}, export: async () => null, erase: async () => undefined };
  async function boot(part: unknown, log = new RecordedLog()): Promise<AuthSite> {
    site = await bootAuthSite(auth, {
      plugins: [...AUTH_PLUGINS, "content"],
      extraPlugins: [
        definePlugin({
          name: "wishes",
          version: "1.0.0",
          after: ["auth"],
          setup: ({ extensions }) => extensions.add("personalData", part as PersonalData),
        }),
      ],
      log: log.logger,
      handlerLimitMs: 200,
    });
    return site;
  }

  for (const [what, act, problem] of [
    ["throws", () => assert.fail("no moon"), /no moon/],
    ["rejects", () => Promise.reject(new Error("no moon")), /no moon/],
    ["hangs", () => new Promise(() => undefined), /did not finish within 200 ms/],
    ["gives what JSON cannot have", () => 10n, /expected JSON, received 10/],
  ] as const) {
    it(`${what} is exported and deleted later, and the log names the plugin`, async () => {
      const log = new RecordedLog();
      const {
        browser,
        loggedIn,
        site: running,
      } = await boot({ ...usual, export: act, erase: act }, log);
      assert.ok(browser);
      const visitor = await loggedIn("ada@example.org");
      const copy = await visitor.go(`${SITE_URL}/auth/account/data`);
      assert.equal(copy.status, 503);
      assert.deepEqual(await copy.json(), {
        error: "a part of the data cannot be exported at the moment",
      });
      const html = await (await visitor.go(`${SITE_URL}/auth/account`)).text();
      const _csrf = /name="_csrf" value="([^"]+)"/.exec(html)?.[1] ?? "";
      const gone = await visitor.go(`${SITE_URL}/auth/account/delete`, {
        method: "POST",
        body: new URLSearchParams({ _csrf }),
        headers: { "sec-fetch-site": "same-origin" },
      });
      assert.equal(gone.status, 503);
      assert.ok(await running.use("users").findByEmail("ada@example.org"));
      const { plugin, list, error } = log.of("extension.failed")[0]?.fields ?? {};
      assert.deepEqual([plugin, list], ["wishes", "personalData"]);
      assert.match(String(error), problem);
    });
  }

  for (const [part, problem] of [
    [
      { ...usual, fate: { deleted: 42 } },
      /fate\.deleted: expected a string or nothing, received 42/,
    ],
    [{ ...usual, erase: "x" }, /erase: expected a function, received "x"/],
    [null, /expected an object, received null/],
  ] as const) {
    it(`is wrong stops the startup: ${String(problem)}`, async () => {
      await assert.rejects(boot(part), {
        code: "ERR_EXTENSION_INVALID",
        message: problem,
        fix: /add \{ fate: /,
      });
    });
  }
});
