import assert from "node:assert/strict";
import { bootAccounts, type AccountSite } from "../../../../support/sites/account-site.js";
import { password, type AdminClient } from "../../../../support/sites/admin-site.js";
import { until } from "../../../../support/until.js";

const HOUR = 3_600_000;
const OLD = "author-user@example.org";
const NEW = "boss@site.example";

describe("another e-mail address of a panel account", () => {
  let site: AccountSite;
  let author: AdminClient;
  let now = Date.parse("2026-03-01T00:00:00Z");
  beforeEach(async () => {
    site = await bootAccounts({ clock: { now: () => now } });
    author = await site.as("author");
  });
  afterEach(() => site.close());
  const request = (email = NEW, current = password) =>
    author.send("PATCH", "/admin/api/me", { email, current });
  const addresses = async () => {
    const { email, pendingEmail } = await author.json(200, "GET", "/admin/api/me");
    return [email, pendingEmail];
  };
  /** The link of the n-th mail to the new address. */
  const link = async (nth = 1) => {
    const ofLinks = () => site.mail.received.filter(({ mail }) => mail.text?.includes("once_"));
    await until(() => ofLinks().length >= nth);
    return /\/admin\/email\/once_\S+/.exec(ofLinks()[nth - 1]?.mail.text ?? "")?.[0] ?? "";
  };
  const confirm = async (path: string) => (await site.form(path, {})).status;

  it("holds once the link in a mail to it was opened; until then the old one stays", async () => {
    const answer = await author.json(200, "PATCH", "/admin/api/me", {
      name: "Ada",
      email: " Boss@Site.example ",
      current: password,
    });
    assert.deepEqual([answer.name, answer.email, answer.pendingEmail], ["Ada", OLD, NEW]);
    assert.deepEqual(await addresses(), [OLD, NEW]);
    const users = site.site.use("users");
    assert.equal(await users.findByEmail(NEW), null);
    const path = await link();
    const page = await site.fetch(path);
    assert.equal(page.status, 200);
    assert.match(await page.text(), /boss@site\.example/);
    assert.deepEqual(
      await addresses(),
      [OLD, NEW],
      "a mail scanner that opens links confirms nothing",
    );
    assert.equal(await confirm(path), 200);
    assert.deepEqual(await addresses(), [NEW, null]);
    assert.deepEqual([await confirm(path), (await site.fetch(path)).status], [404, 404]);
    const noted = (await site.audit()).filter(({ event }) => event.startsWith("user."));
    assert.deepEqual(
      noted.slice(-3).map(({ event }) => event),
      ["user.email_requested", "user.update", "user.update"],
    );
  });

  it("stays unconfirmed after 24 hours", async () => {
    await request();
    const path = await link();
    now += 24 * HOUR;
    assert.deepEqual([await confirm(path), (await site.fetch(path)).status], [404, 404]);
    assert.equal((await site.site.use("users").get(author.id))?.email, OLD);
  });

  it("is replaced by a later one, and withdrawn with the present address", async () => {
    await request("first@example.org");
    const first = await link(1);
    await request();
    assert.deepEqual(await addresses(), [OLD, NEW]);
    assert.equal(await confirm(first), 404);
    const second = await link(2);
    await author.json(200, "PATCH", "/admin/api/me", { email: OLD });
    assert.deepEqual(await addresses(), [OLD, null]);
    assert.equal(await confirm(second), 404);
  });

  it("ends with another password, another address and a disabled account", async () => {
    const admin = await site.as("admin");
    const ends = [
      ["/password", { password }],
      ["", { email: "third@example.org" }],
      ["", { enabled: false }],
    ] as const;
    for (const [at, [route, body]] of ends.entries()) {
      author = await site.as("author", { username: `again-${at}` });
      await request(`new-${at}@example.org`);
      const opened = await link(at + 1);
      await admin.json(200, "PUT", `/admin/api/users/${author.id}${route}`, body);
      assert.equal(await confirm(opened), 404, JSON.stringify(body));
    }
  });

  it("is a 409 when another account has it, at the request and at the confirmation", async () => {
    const editor = await site.as("editor");
    assert.equal((await request("editor-user@example.org")).status, 409);
    await request();
    const path = await link();
    const admin = await site.as("admin");
    await admin.json(200, "PUT", `/admin/api/users/${editor.id}`, { email: NEW });
    assert.equal(await confirm(path), 409);
    assert.deepEqual((await addresses())[0], OLD);
  });

  it("needs the password, and an address", async () => {
    const send = (body: object) => author.send("PATCH", "/admin/api/me", body);
    assert.equal((await send({ email: NEW })).status, 400);
    assert.equal((await request(NEW, "wrong")).status, 403);
    assert.equal((await request("no address")).status, 400);
    assert.equal(site.mail.received.length, 0);
  });

  it("is confirmed from the site's own pages only", async () => {
    await request();
    const path = await link();
    const foreign = await site.fetch(path, {
      method: "POST",
      headers: { "sec-fetch-site": "cross-site", "content-type": "application/json" },
      body: "{}",
    });
    assert.equal(foreign.status, 403);
    const program = await site.fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });
    assert.deepEqual(await program.json(), { ok: true, email: NEW });
  });

  it("sends at most five mails in an hour", async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) statuses.push((await request(`n${n}@example.org`)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  });

  it("is set directly with users.manage", async () => {
    const admin = await site.as("admin");
    const path = `/admin/api/users/${author.id}`;
    const { user } = await admin.json(200, "PUT", path, { email: NEW });
    assert.equal(user.email, NEW);
    assert.deepEqual(await addresses(), [NEW, null]);
  });
});
