import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootSite, type BootOptions, type TestSite } from "../../support/sites/boot-site.js";
import { useSqlite } from "../../support/services.js";

const PLUGINS = ["session", "users", "auth"];
const DUNE = { site: { auth: { providers: { magicLink: { enabled: true } } } } };

describe("plugin users", () => {
  let site: TestSite | null = null;
  afterEach(async () => {
    await site?.close();
    site = null;
  });

  async function boot(options: BootOptions = {}): Promise<TestSite> {
    site = await bootSite({ plugins: PLUGINS, settings: DUNE, ...options });
    return site;
  }

  it("creates no folder before the first account", async () => {
    const { root } = await boot();
    for (const name of ["data", ".dune/admin/sessions"]) assert.ok(!existsSync(join(root, name)));
  });

  it("stores accounts as files by default, with tuples as the source of roles", async () => {
    const { root, site: booted } = await boot();
    const users = booted.use("users");
    const user = await users.create({ email: "a@b.c", provider: "magic", roles: ["member"] });
    assert.ok(existsSync(join(root, "data/users", `${user.id}.json`)));
    assert.equal(booted.use("authz").isActive, true);
    assert.deepEqual(await users.rolesOf(user), ["member"]);
    assert.ok(existsSync(join(root, "data/permissions")));
  });

  it("has no tuples without an auth block", async () => {
    const { root, site: booted } = await boot({ settings: {} });
    const users = booted.use("users");
    const user = await users.create({ email: "a@b.c", provider: "local", roles: ["admin"] });
    assert.deepEqual(await users.rolesOf(user), ["admin"]);
    assert.ok(!existsSync(join(root, "data/permissions")));
  });

  it("stores accounts in SQLite with userStore db and SITE_DB_PATH", async function () {
    await useSqlite(this);
    const settings = { site: { auth: { userStore: "db" } } };
    const env = { SITE_DB_PATH: "data/site.sqlite" };
    const { root, site: booted } = await boot({ settings, env });
    const { id } = await booted.use("users").create({ email: "a@b.c", provider: "magic" });
    assert.equal((await booted.use("users").findByEmail("A@b.c"))?.id, id);
    assert.ok(existsSync(join(root, "data/site.sqlite")));
    assert.ok(!existsSync(join(root, "data/users")));
  });

  it("fails at startup with userStore db and no database", async () => {
    const settings = { site: { auth: { userStore: "db" } } };
    await assert.rejects(boot({ settings }), { code: "ERR_USER_DB_UNSET" });
  });

  it("fails at startup with a short SITE_AUTHZ_HMAC_SECRET", async () => {
    await assert.rejects(boot({ env: { SITE_AUTHZ_HMAC_SECRET: "short" } }), {
      code: "ERR_AUTHZ_SECRET",
    });
  });

  it("can be replaced by a third-party store through config only", async () => {
    const source = await readFile(new URL("fixtures/my-user-store.ts", import.meta.url), "utf8");
    const files = {
      "site.yaml": [
        "title: T",
        "auth: {providers: {magicLink: {enabled: true}}}",
        "plugins: [{src: session}, {src: users}, {src: auth}, {src: ./plugins/my-user-store.ts}]",
      ].join("\n"),
      "plugins/my-user-store.ts": source,
    };
    site = await bootSite({ files });
    const { root, site: booted } = site;
    const users = booted.use("users");
    const outcome = await users.upsertFromProvider({ provider: "magic", email: "a@b.c" });
    assert.equal(outcome.kind, "created");
    assert.equal((await users.findByEmail("a@b.c"))?.email, "a@b.c");
    assert.ok(!existsSync(join(root, "data/users")));
  });

  it("emits onUserCreate and onUserDelete with public fields", async () => {
    const seen: string[] = [];
    const listener = {
      name: "listener",
      version: "1.0.0",
      hooks: {
        onUserCreate: ({ data }: { data: { user: object } }) =>
          void seen.push(Object.keys(data.user).join()),
        onUserDelete: ({ event }: { event: string }) => void seen.push(event),
      },
    };
    const { site: booted } = await boot({ extraPlugins: [listener] });
    const { id } = await booted.use("users").create({ email: "a@b.c", provider: "magic" });
    await booted.use("users").delete(id);
    await booted.context("users").hooks.settled();
    assert.deepEqual(seen, [
      "id,email,name,avatarUrl,roles,provider,createdAt,linkedProviders",
      "onUserDelete",
    ]);
  });
});
