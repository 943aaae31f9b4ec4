import assert from "node:assert/strict";
import {
  client,
  clientOf,
  cookieOf,
  password,
  postLogin,
  type AdminClient,
} from "../../../../support/sites/admin-site.js";
import { useFreshAdmin } from "../../../../support/sites/use-site.js";

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0";

describe("{admin.path}/api/me/sessions", () => {
  let now = Date.parse("2026-03-01T00:00:00Z");
  const site = useFreshAdmin({ clock: { now: () => now } });
  const author = site.user("author");

  const signIn = async (): Promise<AdminClient> => {
    const fields = { username: "author-user", password };
    const answer = await postLogin(site, fields, { "user-agent": FIREFOX });
    return clientOf(site, author.id, answer);
  };

  it("lists where the account is signed in, and which session asks", async () => {
    now += 60_000;
    const phone = await signIn();
    await site.as("editor");
    const { items, total } = await phone.json(200, "GET", "/admin/api/me/sessions");
    assert.equal(total, 2);
    assert.deepEqual(
      items.map(({ device, current, createdAt }: Record<string, unknown>) => [
        device,
        current,
        createdAt,
      ]),
      [
        ["Firefox 141 on Linux", true, now],
        ["node", false, now - 60_000],
      ],
    );
    assert.equal(items[0].address, "127.0.0.1");
    assert.doesNotMatch(JSON.stringify(items), new RegExp(author.cookie.slice(11, 50)));
  });

  it("notes the last request of a session every five minutes", async () => {
    const started = now;
    const lastSeen = async () => {
      const { items } = await author.json(200, "GET", "/admin/api/me/sessions");
      return items[0].lastSeenAt - started;
    };
    now += 60_000;
    assert.equal(await lastSeen(), 0);
    now += 240_000;
    await author.send("GET", "/admin/api/session");
    for (let tried = 0; (await lastSeen()) === 0 && tried < 50; tried += 1);
    assert.equal(await lastSeen(), 300_000);
  });

  it("ends one session, and only one of the own account", async () => {
    const phone = await signIn();
    const stranger = await site.as("editor");
    const { items } = await author.json(200, "GET", "/admin/api/me/sessions");
    const { id } = items.find(({ current }: { current: boolean }) => !current);
    const path = `/admin/api/me/sessions/${id}`;
    assert.equal((await stranger.send("DELETE", path)).status, 404);
    assert.equal((await phone.send("GET", "/admin/api/me")).status, 200);
    assert.deepEqual(await author.json(200, "DELETE", path), { revoked: true, id });
    assert.equal((await phone.send("GET", "/admin/api/me")).status, 401);
    assert.equal((await author.send("DELETE", path)).status, 404);
    assert.equal((await author.send("DELETE", "/admin/api/me/sessions/..%2fx")).status, 404);
    assert.equal((await author.json(200, "GET", "/admin/api/me/sessions")).total, 1);
  });

  it("ends all other sessions and continues under a new id", async () => {
    const phone = await signIn();
    const answer = await author.send("DELETE", "/admin/api/me/sessions");
    const { revoked, csrfToken } = (await answer.json()) as { revoked: number; csrfToken: string };
    const fresh = client(site, { id: author.id, cookie: cookieOf(answer), csrf: csrfToken });
    assert.equal(revoked, 1);
    for (const ended of [phone, author]) {
      assert.equal((await ended.send("GET", "/admin/api/me")).status, 401);
    }
    const { items } = await fresh.json(200, "GET", "/admin/api/me/sessions");
    assert.deepEqual(
      items.map(({ current }: { current: boolean }) => current),
      [true],
    );
  });
});
