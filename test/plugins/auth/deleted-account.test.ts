import assert from "node:assert/strict";
import { join } from "node:path";
import { PurchaseFiles } from "../../../plugins/payments/purchases.js";
import {
  AUTH_PLUGINS,
  bootAuthSite,
  SITE_URL,
  type AuthSite,
} from "../../support/sites/auth-site.js";
import type { Browser } from "../../support/browsers/browser.js";

const plugins = [...AUTH_PLUGINS, "forms", "comments", "payments", "outbound"];
const payments = {
  provider: "stripe",
  secret_key: "sk_test_0123456789",
  webhook_secret: "whsec_0123456789abcdef",
  products: [{ id: "book", name: "Book", price_id: "price_1", role: "reader", mode: "payment" }],
};
const files = {
  "content/01.home/default.md": "---\ntitle: Home\n---\nWelcome.\n",
  "forms/contact.yaml": "fields:\n  message: { type: textarea, label: Message, required: true }\n",
  "content/05.post/post.md": "---\ntitle: Post\ndate: 2026-01-01\ncomments: true\n---\nText.\n",
};

describe("an account that is deleted", () => {
  let site: AuthSite;
  let now = Date.parse("2026-11-25T10:00:00Z");
  before(async () => {
    site = await bootAuthSite(
      { providers: { magicLink: { enabled: true } } },
      {
        plugins,
        files,
        clock: { now: () => now },
        settings: {
          site: { comments: { from: "visitors" }, payments },
          system: { server: { rate_limit: false } },
        },
      },
    );
  });
  after(() => site.close());

  const form = (visitor: Browser, path: string, fields: Record<string, string>) =>
    visitor.go(`${SITE_URL}${path}`, {
      method: "POST",
      headers: { accept: "application/json" },
      body: new URLSearchParams(fields),
    });
  const text = async (visitor: Browser, path: string): Promise<string> =>
    (await visitor.go(`${SITE_URL}${path}`)).text();

  async function comment(visitor: Browser, words: string, parent = ""): Promise<string> {
    const { token } = JSON.parse(await text(visitor, "/api/comments/token"));
    now += 5_000;
    const fields = { route: "/post", text: words, _token: token, ...(parent && { parent }) };
    const sent = await form(visitor, "/api/comments", fields);
    assert.equal(sent.status, 201, await sent.clone().text());
    const { id } = await sent.json();
    const [comment] = (await site.site.use("comments").list({ limit: 50, offset: 0 })).items.filter(
      (one) => one.id === id,
    );
    await site.site.use("comments").setStatus(comment?.page ?? "", id, "approved");
    return id;
  }

  async function sendForm(visitor: Browser, message: string): Promise<void> {
    const { token } = JSON.parse(await text(visitor, "/api/forms/contact"));
    now += 5_000;
    assert.equal((await form(visitor, "/forms/contact", { message, _token: token })).status, 303);
  }

  it("loses its comments and forms; replies of others, and purchases, stay", async () => {
    const ada = await site.loggedIn("ada@example.org");
    const eve = await site.loggedIn("eve@example.org");
    const answered = await comment(ada, "Who likes tea?");
    await comment(ada, "And coffee?");
    await comment(eve, "I like tea.", answered);
    await sendForm(ada, "Ada's message");
    await sendForm(eve, "Eve's message");

    const users = site.site.use("users");
    const { id: user = "" } = (await users.findByEmail("ada@example.org")) ?? {};
    const purchases = new PurchaseFiles(join(site.root, "data/payments"));
    const paid = { product: "book", checkoutId: "cs_1", paidAt: now };
    const none = { customerId: null, subscriptions: {}, events: [] };
    await purchases.setPurchases({ userId: user, purchases: [paid], ...none });

    const page = await text(ada, "/auth/account");
    assert.match(page, /your comments; replies of others stay/);
    assert.match(page, /purchases, because accounting needs them/);
    const own = await text(ada, "/auth/account/data");
    for (const found of [/Who likes tea\?/, /Ada's message/, /cs_1/]) assert.match(own, found);
    for (const other of [/I like tea/, /Eve's message/]) assert.doesNotMatch(own, other);

    const [, csrf = ""] = /name="_csrf" value="([^"]+)"/.exec(page) ?? [];
    assert.equal((await form(ada, "/auth/account/delete", { _csrf: csrf })).status, 302);
    const { items } = JSON.parse(await text(eve, "/api/comments?route=/post"));
    assert.equal(items.length, 1);
    assert.equal(items[0].name, "–");
    assert.doesNotMatch(JSON.stringify(items), /Who likes|coffee|ada/);
    assert.match(items[0].replies[0].html, /I like tea/);
    assert.deepEqual(await site.site.use("forms").submissionsOf(user), []);
    assert.match(await text(eve, "/auth/account/data"), /Eve's message/);
    assert.deepEqual((await purchases.purchases(user))?.purchases, [paid]);
    assert.equal(await users.get(user), null);
  });
});
