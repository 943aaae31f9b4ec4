import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import jwt from "jsonwebtoken";
import { AUTH_PLUGINS, bootAuthSite, type AuthSite } from "../../support/sites/auth-site.js";
import type { BootOptions } from "../../support/sites/boot-site.js";
import type { Browser } from "../../support/browsers/browser.js";
import { useSqlite } from "../../support/services.js";
import {
  signedReport,
  startStripeStandIn,
  stripeEvent,
  type StripeStandIn,
} from "../../support/servers/stripe-stand-in.js";

const MAGIC = { providers: { magicLink: { enabled: true } } };
const GATED = { "content/members/default.md": "---\nroles: member\n---\n# For members\n" };

describe("payments", () => {
  let api: StripeStandIn;
  let site: AuthSite;
  before(async () => {
    api = await startStripeStandIn();
  });
  beforeEach(() => {
    api.mood = "well";
    api.checkouts.length = 0;
  });
  afterEach(() => site.close());
  after(() => api.close());

  async function boot(
    auth: Record<string, unknown> = MAGIC,
    { payments = api.section(), ...options }: BootOptions & { payments?: unknown } = {},
  ): Promise<void> {
    site = await bootAuthSite(auth, {
      plugins: [...AUTH_PLUGINS, "payments"],
      files: { "site.yaml": "title: Test\n", ...GATED },
      ...options,
      settings: { site: { payments } },
    });
  }
  const pay = (
    visitor: Browser,
    product: string,
    { headers = {}, body = "" }: { headers?: Record<string, string>; body?: string } = {},
  ): Promise<Response> =>
    visitor.go(`http://site.example:8000/payments/checkout/${product}`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
      body,
    });
  const report = (event: Record<string, unknown> | string): Promise<Response> =>
    site.fetch("/payments/webhook", { method: "POST", ...signedReport(event) });
  const rolesOf = async (visitor: Browser): Promise<string[]> =>
    ((await (await visitor.go("http://site.example:8000/auth/me")).json()) as { roles: string[] })
      .roles;
  const now = (): number => Math.floor(Date.now() / 1000);

  describe("POST /payments/checkout/{product}", () => {
    it("redirects a logged-in visitor to the provider with 303", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      const res = await pay(visitor, "club", { body: "next=%2Fmembers%3Fa%3D1" });
      assert.equal(res.status, 303);
      assert.equal(res.headers.get("location"), "https://checkout.example/c/cs_test_1");
      assert.match(res.headers.get("cache-control") ?? "", /no-store/);
      const form = Object.fromEntries(api.checkouts[0] ?? []);
      assert.equal(form["line_items[0][price]"], "price_club");
      assert.equal(form["customer_email"], "ann@example.org");
      const back = "http://site.example:8000/members?a=1&payment";
      assert.equal(form["success_url"], `${back}=success&product=club`);
      assert.equal(form["cancel_url"], `${back}=cancelled&product=club`);
    });

    it("returns to this site, for any next", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      for (const next of [
        "//evil.example",
        "https://evil.example",
        "/\\evil.example",
        "javascript:1",
      ]) {
        await pay(visitor, "club", { body: `next=${encodeURIComponent(next)}` });
        const url = new URL(api.checkouts.at(-1)?.get("success_url") ?? "");
        assert.deepEqual([url.origin, url.pathname], ["http://site.example:8000", "/"], next);
      }
    });

    it("responds 401 without a login, 404 for an unknown product, 405 to GET, without calling the provider", async () => {
      await boot();
      const anonymous = await pay(site.browser(), "club", {
        headers: { accept: "application/json" },
      });
      assert.deepEqual(
        [anonymous.status, Object.keys((await anonymous.json()) as object)],
        [401, ["error"]],
      );
      const visitor = await site.loggedIn("ann@example.org");
      for (const id of ["none", "__proto__", "constructor", "club%00", "CLUB"]) {
        assert.equal((await pay(visitor, id)).status, 404, id);
      }
      assert.equal(
        (await visitor.go("http://site.example:8000/payments/checkout/club")).status,
        405,
      );
      assert.equal(api.checkouts.length, 0);
    });

    it("responds 403 to another site, and accepts an empty form or JSON", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      const from = (headers: Record<string, string>) => pay(visitor, "club", { headers });
      assert.equal((await from({ origin: "https://evil.example" })).status, 403);
      assert.equal((await from({ "sec-fetch-site": "cross-site" })).status, 403);
      assert.equal((await from({ origin: "null" })).status, 403);
      assert.equal(api.checkouts.length, 0);
      assert.equal((await from({ origin: "http://site.example:8000" })).status, 303);
      const json = { "content-type": "application/json" };
      assert.equal(
        (await pay(visitor, "club", { headers: json, body: '{"next":"/x"}' })).status,
        303,
      );
    });

    it("responds 4xx to invalid bodies", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      const json = { "content-type": "application/json" };
      for (const [headers, body, status] of [
        [json, "{", 400],
        [json, "[]", 400],
        [json, '{"next":{"a":1}}', 303],
        [{}, "x".repeat(5_000), 413],
        [{ "content-type": "text/plain" }, "x", 415],
      ] as const) {
        assert.equal(
          (await pay(visitor, "club", { headers, body })).status,
          status,
          body.slice(0, 9),
        );
      }
    });

    it("responds 409 for a product that is already paid for", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      await pay(visitor, "club");
      await report(completed("cs_test_1", { id: "evt_1" }));
      assert.equal((await pay(visitor, "club")).status, 409);
      assert.equal((await pay(visitor, "gold")).status, 303);
      assert.equal(api.checkouts.at(-1)?.get("customer"), "cus_1");
    });

    it("responds 503 while the provider is down and 502 to nonsense, without its words", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      const ask = () => pay(visitor, "club", { headers: { accept: "application/json" } });
      for (const [mood, status] of [
        ["status500", 503],
        ["html", 502],
        ["status401", 502],
      ] as const) {
        api.mood = mood;
        const res = await ask();
        assert.equal(res.status, status, mood);
        assert.doesNotMatch(await res.text(), /sk_test|provider text|hello|127\.0\.0\.1/);
      }
      api.mood = "well";
      assert.equal((await ask()).status, 303);
      assert.ok(!site.log.some((line) => line.includes("sk_test_of_the_stand_in")));
    });

    it("responds 429 to a visitor who keeps starting checkouts", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      for (let at = 0; at < 20; at += 1) assert.equal((await pay(visitor, "club")).status, 303);
      assert.equal((await pay(visitor, "club")).status, 429);
      const other = await site.loggedIn("bob@example.org");
      assert.equal((await pay(other, "club")).status, 303);
    });
  });

  describe("POST /payments/webhook", () => {
    for (const userStore of ["local", "db"] as const) {
      it(`userStore ${userStore}: grants the role, opens the page and stores the customer, once`, async function () {
        if (userStore === "db") await useSqlite(this);
        await boot({ ...MAGIC, userStore }, { env: { SITE_ENV: "dev", SITE_DB_PATH: "site.db" } });
        const visitor = await site.loggedIn("ann@example.org");
        const members = () => visitor.go("http://site.example:8000/members");
        assert.equal((await members()).status, 403);
        await pay(visitor, "club");
        const paid = completed("cs_test_1", { id: "evt_1" });
        for (let run = 0; run < 2; run += 1) {
          const res = await report(paid);
          assert.deepEqual([res.status, await res.json()], [200, { received: true }]);
        }
        assert.deepEqual(await rolesOf(visitor), ["member"]);
        assert.equal((await members()).status, 200);
        const user = await site.site.use("users").findByEmail("ann@example.org");
        assert.equal(user?.paymentCustomerId, "cus_1");
      });
    }

    it("revokes the role when the subscription ends or is unpaid, and grants it again", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      await pay(visitor, "club");
      await report(completed("cs_test_1", { id: "evt_1" }));
      const sub = { id: "sub_1", customer: "cus_1" };
      const invoice = { customer: "cus_1", subscription: "sub_1" };
      for (const [event, roles] of [
        [stripeEvent.failed(invoice, { id: "evt_2", at: now() + 1 }), []],
        [stripeEvent.subscription("updated", sub, { id: "evt_3", at: now() + 2 }), ["member"]],
        [
          stripeEvent.subscription(
            "updated",
            { ...sub, status: "past_due" },
            { id: "evt_4", at: now() + 3 },
          ),
          [],
        ],
        [
          stripeEvent.subscription(
            "updated",
            { ...sub, prices: ["price_gold"] },
            { id: "evt_5", at: now() + 4 },
          ),
          ["gold"],
        ],
        [stripeEvent.subscription("deleted", sub, { id: "evt_6", at: now() + 5 }), []],
        [stripeEvent.subscription("updated", sub, { id: "evt_7", at: now() + 6 }), []],
      ] as const) {
        assert.equal((await report(event)).status, 200);
        assert.deepEqual(await rolesOf(visitor), roles, JSON.stringify(event));
      }
    });

    it("responds 400 to a wrong or old signature and to changed spacing, without a role", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      await pay(visitor, "club");
      const event = completed("cs_test_1", { id: "evt_1" });
      const good = signedReport(event);
      const send = (body: string, headers: Record<string, string>): Promise<Response> =>
        site.fetch("/payments/webhook", { method: "POST", body, headers });
      const old = signedReport(event, { timestamp: now() - 301 });
      for (const [body, headers] of [
        [good.body, {}],
        [good.body, { "stripe-signature": "" }],
        [good.body, signedReport(event, { secret: "whsec_other" }).headers],
        [old.body, old.headers],
        [good.body.replace(":", ": "), good.headers],
        ["", good.headers],
      ] as const) {
        const res = await send(body, { ...headers });
        assert.equal(res.status, 400);
        assert.deepEqual(Object.keys((await res.json()) as object), ["error"]);
      }
      assert.deepEqual(await rolesOf(visitor), []);
      assert.equal((await send("x".repeat(1_100_000), good.headers)).status, 413);
    });

    it("grants no role for an unknown price, or another user's address or reference in the report", async () => {
      await boot();
      const ann = await site.loggedIn("ann@example.org");
      const bob = await site.loggedIn("bob@example.org");
      await pay(ann, "club");
      const claims = {
        client_reference_id: (await site.site.use("users").findByEmail("bob@example.org"))?.id,
        customer_email: "bob@example.org",
        customer_details: { email: "bob@example.org" },
        metadata: { userId: "bob", productId: "gold", role: "admin" },
      };
      await report(completed("cs_of_a_link", { id: "evt_1", ...claims }));
      assert.deepEqual([await rolesOf(ann), await rolesOf(bob)], [[], []]);
      await report(completed("cs_test_1", { id: "evt_2", ...claims }));
      assert.deepEqual([await rolesOf(ann), await rolesOf(bob)], [["member"], []]);
      const unknown = { id: "sub_1", customer: "cus_1", prices: ["price_of_another_site"] };
      await report(stripeEvent.subscription("updated", unknown, { id: "evt_3", at: now() + 9 }));
      assert.deepEqual(await rolesOf(ann), []);
    });

    it("responds 200 to ignored events, and 400 to signed nonsense", async () => {
      await boot();
      for (const event of [
        { id: "evt_1", type: "customer.created", created: 1, data: { object: {} } },
        stripeEvent.subscription("updated", { id: "sub_x", customer: "cus_x" }),
        stripeEvent.failed({ customer: null }),
      ]) {
        assert.equal((await report(event)).status, 200);
      }
      for (const body of ["", "{", "[]", "null", '{"id":1}']) {
        assert.equal((await report(body)).status, 400, body);
      }
    });

    it("grants a role during 200 concurrent requests of the visitor", async () => {
      // Every request is late enough to update the last visit.
      const clock = { ahead: 0, now: () => Date.now() + clock.ahead };
      await boot(MAGIC, { clock });
      const visitor = await site.loggedIn("ann@example.org");
      await pay(visitor, "club");
      clock.ahead = 10 * 60_000;
      const at = Math.floor(clock.now() / 1000);
      const { body, headers } = signedReport(completed("cs_test_1", { id: "evt_1" }), {
        timestamp: at,
      });
      const [paid, ...seen] = await Promise.all([
        site.fetch("/payments/webhook", { method: "POST", body, headers }),
        ...Array.from({ length: 200 }, () => visitor.go("http://site.example:8000/auth/me")),
      ]);
      assert.equal(paid.status, 200);
      assert.ok(seen.every(({ status }) => status === 200));
      await site.site.context("payments").hooks.settled();
      assert.deepEqual(await rolesOf(visitor), ["member"]);
      const record = await site.site.use("users").findByEmail("ann@example.org");
      assert.deepEqual([record?.roles, record?.paymentCustomerId], [["member"], "cus_1"]);
    });

    it("survives a restart between checkout and report", async () => {
      await boot();
      const visitor = await site.loggedIn("ann@example.org");
      await pay(visitor, "book");
      const { root } = site;
      await site.site.close();
      const again = await bootAuthSite(MAGIC, {
        plugins: [...AUTH_PLUGINS, "payments"],
        root,
        settings: { site: { payments: api.section() } },
      });
      try {
        const event = completed("cs_test_1", { id: "evt_1", subscription: null });
        const res = await again.fetch("/payments/webhook", {
          method: "POST",
          ...signedReport(event),
        });
        assert.equal(res.status, 200);
        const user = await again.site.use("users").findByEmail("ann@example.org");
        assert.deepEqual(user?.roles, ["reader"]);
      } finally {
        await again.close();
      }
    });
  });

  describe("accounts that are not stored", () => {
    it("userStore session: the role is effective immediately and at the next login, and is revoked", async () => {
      await boot({ ...MAGIC, userStore: "session" });
      const visitor = await site.loggedIn("ann@example.org");
      await pay(visitor, "club");
      await report(completed("cs_test_1", { id: "evt_1" }));
      assert.deepEqual(await rolesOf(visitor), ["member"]);
      assert.deepEqual(await rolesOf(await site.loggedIn("ann@example.org")), ["member"]);
      const sub = { id: "sub_1", customer: "cus_1" };
      await report(stripeEvent.subscription("deleted", sub, { id: "evt_2", at: now() + 1 }));
      assert.deepEqual(await rolesOf(visitor), []);
    });

    it("external-jwt with authzStore local: the role is added to those of the token", async () => {
      const secret = "a secret that both sides know, 32 bytes or more";
      await boot({ mode: "external-jwt", authzStore: "local", jwt: { secret } });
      const bearer = (roles: string[]): Record<string, string> => ({
        authorization: `Bearer ${jwt.sign({ sub: "ann", email: "ann@example.org", roles }, secret)}`,
      });
      const begun = await site.fetch("/payments/checkout/club", {
        method: "POST",
        headers: { ...bearer(["a"]), origin: "https://app.example" },
      });
      assert.equal(begun.status, 303);
      await report(completed("cs_test_1", { id: "evt_1" }));
      for (const roles of [["a"], ["b"]]) {
        assert.equal((await site.fetch("/members", { headers: bearer(roles) })).status, 200);
      }
    });
  });

  it("do not exist without the block, and have no folder", async () => {
    site = await bootAuthSite(MAGIC, { plugins: [...AUTH_PLUGINS, "payments"] });
    for (const path of ["/payments/checkout/club", "/payments/webhook"]) {
      assert.equal((await site.fetch(path)).status, 404);
      assert.equal((await site.fetch(path, { method: "POST" })).status, 405);
    }
    const folders = await readdir(join(site.root, "data")).catch((): string[] => []);
    assert.ok(!folders.includes("payments"));
  });

  it("warn about panel roles for sale, missing accounts, and deleted users who still pay", async () => {
    const panel = [{ id: "boss", name: "Boss", price_id: "price_x", role: "admin" }];
    await boot(MAGIC, { payments: api.section(panel) });
    assert.ok(site.log.some((line) => line.startsWith("payments.panel_for_sale")));
    await site.close();
    site = await bootAuthSite(undefined, {
      plugins: [...AUTH_PLUGINS, "payments"],
      settings: { site: { payments: api.section() } },
    });
    assert.ok(site.log.some((line) => line.startsWith("payments.auth_missing")));
    await site.close();
    await boot();
    const visitor = await site.loggedIn("ann@example.org");
    await pay(visitor, "club");
    await report(completed(`cs_test_${api.checkouts.length}`, { id: "evt_1" }));
    const users = site.site.use("users");
    const ann = await users.findByEmail("ann@example.org");
    await users.delete(ann?.id ?? "");
    await site.site.context("payments").hooks.settled();
    assert.ok(site.log.some((line) => /^payments\.deleted_user_pays.*sub_1/.test(line)));
    const files = join(site.root, "data", "payments", "users");
    const [name = ""] = await readdir(files);
    assert.match(await readFile(join(files, name), "utf8"), /"sub_1"/);
  });
});

describe("payments at startup", () => {
  const section = {
    provider: "stripe",
    secret_key: "sk",
    webhook_secret: "whsec",
    products: [{ id: "club", name: "Club", price_id: "price_club", role: "member" }],
  };
  for (const [what, payments, auth] of [
    ["payments.webhook_secret", { webhook_secret: "$NOBODY_SETS_THIS" }, MAGIC],
    ["payments.api_url", { api_url: "http://api.example" }, MAGIC],
    ["auth.authzStore", {}, { mode: "external-jwt", jwt: { secret: "x".repeat(32) } }],
  ] as const) {
    it(`reject an invalid ${what}`, async () => {
      const starting = bootAuthSite(auth, {
        plugins: [...AUTH_PLUGINS, "payments"],
        settings: { site: { payments: { ...section, ...payments } } },
      });
      await assert.rejects(starting, new RegExp(what.replace(".", "\\.")));
    });
  }
});

function completed(
  id: string,
  { id: event = "evt_1", ...session }: Record<string, unknown> & { id?: string },
): Record<string, unknown> {
  const at = Math.floor(Date.now() / 1000);
  const paid = { customer: "cus_1", subscription: "sub_1", ...session, id };
  return stripeEvent.completed(paid, { id: event, at });
}
