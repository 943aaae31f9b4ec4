import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootAccounts, form, type AccountSite } from "../../../../support/sites/account-site.js";
import {
  bootAdmin,
  client,
  cookieOf,
  type AdminClient,
} from "../../../../support/sites/admin-site.js";

const DAY = 86_400_000;
const PATH = "/admin/api/invitations";
const strong = "another good password 7";
const invited = { email: "New@Example.org", role: "editor" };

describe("{admin.path}/api/invitations", () => {
  let site: AccountSite;
  let admin: AdminClient;
  let now = Date.parse("2026-03-01T00:00:00Z");
  beforeEach(async () => {
    site = await bootAccounts({ clock: { now: () => now } });
    admin = await site.as("admin");
  });
  afterEach(() => site.close());
  const invite = async (nth = 1) => {
    const created = await admin.json(201, "POST", PATH, invited);
    return { created, link: await site.linkOfMail(nth) };
  };

  it("mails a link that creates the account with its role and signs it in", async () => {
    const { created, link } = await invite();
    assert.deepEqual(
      [created.email, created.role, created.sent, created.link, created.expiresAt - now],
      ["new@example.org", "editor", true, undefined, 7 * DAY],
    );
    assert.deepEqual(site.mail.received[0]?.recipients, ["new@example.org"]);
    assert.match(link, /^\/admin\/invitations\/once_[0-9a-f]{16}_[\w-]{43}$/);
    const page = await site.fetch(link);
    const html = await page.text();
    assert.match(html, /new@example\.org[\s\S]*autocomplete="new-password"/);
    assert.doesNotMatch(html, /<script/);
    assert.match(page.headers.get("cache-control") ?? "", /no-store/);

    const answer = await site.form(link, { name: "Ada", password: strong });
    assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/admin"]);
    const session = client(site, { id: "", cookie: cookieOf(answer), csrf: "" });
    const me = await session.json(200, "GET", "/admin/api/me");
    assert.deepEqual([me.name, me.email, me.roles], ["Ada", "new@example.org", ["editor"]]);
    assert.equal((await site.form(link, { name: "Eve", password: strong })).status, 404);
    assert.equal((await site.fetch(link)).status, 404);
    assert.equal((await admin.json(200, "GET", PATH)).total, 0);
    const events = (await site.audit()).map(({ event }) => event);
    assert.ok(events.includes("invitation.create") && events.includes("invitation.accept"));
  });

  it("is accepted by one of two concurrent requests", async () => {
    const { link } = await invite();
    const answers = await Promise.all(
      ["Ada", "Eve"].map((name) => site.form(link, { name, password: strong })),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [303, 404]);
  });

  it("stays valid after a weak password or a missing name, and shows the reason", async () => {
    const { link } = await invite();
    for (const fields of [
      { name: "Ada", password: "short" },
      { name: " ", password: strong },
    ]) {
      const answer = await site.form(link, fields);
      assert.equal(answer.status, 400);
      assert.match(await answer.text(), /role="alert"[\s\S]*name="password"/);
    }
    assert.equal(await site.site.use("users").findByEmail("new@example.org"), null);
    assert.equal((await site.form(link, { name: "Ada", password: strong })).status, 303);
  });

  it("expires after seven days, and resending sends a new link", async () => {
    const { created, link } = await invite();
    now += 7 * DAY;
    assert.equal((await site.form(link, { name: "Ada", password: strong })).status, 404);
    const later = await site.as("admin", { username: "later" });
    assert.equal((await later.json(200, "GET", PATH)).items[0].expired, true);
    const resent = await later.json(200, "POST", `${PATH}/${created.id}/resend`);
    assert.deepEqual([resent.id, resent.expired, resent.sent], [created.id, false, true]);
    const second = await site.linkOfMail(2);
    assert.equal((await site.fetch(link)).status, 404);
    assert.equal((await site.form(second, { name: "Ada", password: strong })).status, 303);
  });

  it("can be withdrawn, and another invitation of the address replaces it", async () => {
    const { link } = await invite();
    const { created, link: second } = await invite(2);
    assert.equal((await site.fetch(link)).status, 404);
    assert.equal((await admin.json(200, "GET", PATH)).total, 1);
    assert.deepEqual(await admin.json(200, "DELETE", `${PATH}/${created.id}`), {
      revoked: true,
      id: created.id,
    });
    assert.equal((await site.fetch(second)).status, 404);
    await admin.json(404, "DELETE", `${PATH}/${created.id}`);
    await admin.json(404, "POST", `${PATH}/..%2fx/resend`);
  });

  it("stores and lists no token", async () => {
    const { link } = await invite();
    const secret = link.slice(-43);
    const folder = join(site.root, ".dune/admin");
    const names = await readdir(join(folder, "invitations"));
    assert.equal(names.length, 1);
    for (const name of names) {
      assert.doesNotMatch(
        await readFile(join(folder, "invitations", name), "utf8"),
        new RegExp(secret),
      );
    }
    assert.doesNotMatch(JSON.stringify(await admin.json(200, "GET", PATH)), /hash|once_/);
  });

  it("rejects unknown roles, taken and malformed addresses, forged links and other sites", async () => {
    await admin.json(400, "POST", PATH, { email: "a@example.org", role: "member" });
    await admin.json(400, "POST", PATH, { email: "no address", role: "editor" });
    await admin.json(409, "POST", PATH, { email: "admin-user@example.org", role: "editor" });
    const { link } = await invite();
    const forged = `${link.slice(0, -1)}${link.endsWith("A") ? "B" : "A"}`;
    for (const path of [forged, "/admin/invitations/x", "/admin/invitations/..%2f..%2fusers"]) {
      assert.equal((await site.fetch(path)).status, 404);
      assert.equal((await site.form(path, { name: "Eve", password: strong })).status, 404);
    }
    const headers = { "content-type": "application/json", "sec-fetch-site": "cross-site" };
    const body = JSON.stringify({ name: "Eve", password: strong });
    assert.equal((await site.fetch(link, { method: "POST", headers, body })).status, 403);
    const author = await site.as("author");
    await author.json(403, "POST", PATH, invited);
    await author.json(403, "GET", PATH);
  });
});

describe("invitations without a mailer", () => {
  it("respond with the link to hand over", async () => {
    const site = await bootAdmin({ settings: { site: { url: "http://site.example" } } });
    try {
      const admin = await site.as("admin");
      const { sent, link } = await admin.json(201, "POST", PATH, invited);
      assert.equal(sent, false);
      const { pathname } = new URL(link);
      assert.equal((await form(site, pathname, { name: "Ada", password: strong })).status, 303);
    } finally {
      await site.close();
    }
  });
});
