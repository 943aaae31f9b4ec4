import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLog } from "#kernel";
import type { User } from "../../../../plugins/users/contract.js";
import { LocalUserStore } from "../../../../plugins/users/engines/local.js";
import { userStoreContract } from "../../../../plugins/users/testing/user-store-contract.js";
import { useFolder } from "../../../support/folder.js";

describe("user store local", () => {
  const folder = useFolder();
  const users = (...rest: string[]): string => join(folder.path, "users", ...rest);
  const open = (): LocalUserStore =>
    new LocalUserStore({ folder: users(), log: silentLog, now: () => 42 });
  const sha = (value: string): string => createHash("sha256").update(value).digest("hex");
  const ann: User = {
    id: "ann",
    email: "ann@example.org",
    roles: [],
    provider: "github",
    providerId: "1",
    linkedProviders: [],
    createdAt: 1,
    updatedAt: 1,
    lastSeenAt: 1,
  };
  const bob: User = { ...ann, id: "bob", email: "bob@example.org", providerId: "2", createdAt: 2 };

  userStoreContract({ open, again: open });

  it("creates no folder before the first account", async () => {
    const store = open();
    await store.findByEmail("x@example.org");
    await store.list({ limit: 1, offset: 0 });
    await store.check();
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("stores records and the e-mail index at the specified paths", async () => {
    await open().create({ ...ann, email: "Ann@Example.org" });
    const record = JSON.parse(await readFile(users("ann.json"), "utf8"));
    assert.equal(record.id, "ann");
    const entry = users("by-email", `${sha("ann@example.org")}.json`);
    assert.deepEqual(JSON.parse(await readFile(entry, "utf8")), { id: "ann" });
  });

  it("keeps unknown fields", async () => {
    await open().create(ann);
    const record = JSON.parse(await readFile(users("ann.json"), "utf8"));
    await writeFile(users("ann.json"), JSON.stringify({ ...record, note: "by hand" }));
    await open().update("ann", (found) => ({ ...found, name: "Ann" }));
    assert.match(await readFile(users("ann.json"), "utf8"), /by hand/);
  });

  it("finds every account after the index was deleted", async () => {
    await open().create(ann);
    await rm(users("by-email"), { recursive: true });
    await rm(users("by-identity"), { recursive: true });
    const store = open();
    assert.equal((await store.findByEmail("ann@example.org"))?.id, "ann");
    assert.equal((await store.findByIdentity("github", "1"))?.id, "ann");
  });

  it("detects a deleted index within seconds", async () => {
    const store = open();
    await store.create(ann);
    await rm(users("by-email"), { recursive: true });
    assert.equal((await store.findByEmail("ann@example.org"))?.id, "ann");
  });

  it("ignores an index entry that contradicts its record", async () => {
    const store = open();
    await store.create(ann);
    await store.create(bob);
    const entry = users("by-email", `${sha("ann@example.org")}.json`);
    for (const text of ['{"id":"bob"}', '{"id":"../ann"}', "", "{", "null", '{"id":"gone"}']) {
      await writeFile(entry, text);
      assert.equal((await open().findByEmail("ann@example.org"))?.id, "ann");
      assert.deepEqual(JSON.parse(await readFile(entry, "utf8")), { id: "ann" });
    }
  });

  it("indexes a record added by hand", async () => {
    await mkdir(users(), { recursive: true });
    await writeFile(users("ann.json"), JSON.stringify(ann));
    assert.equal((await open().findByEmail("ANN@example.org"))?.id, "ann");
  });

  it("gives an e-mail address claimed by two records to the older one", async () => {
    await mkdir(users(), { recursive: true });
    await writeFile(users("bob.json"), JSON.stringify({ ...bob, email: ann.email }));
    await writeFile(users("ann.json"), JSON.stringify(ann));
    assert.equal((await open().findByEmail(ann.email))?.id, "ann");
  });

  it("sweeps leftovers of interrupted writes", async () => {
    await open().create(ann);
    await writeFile(users(".tmp-0011"), "torn");
    await writeFile(users("by-email", ".tmp-0011"), "torn");
    await rm(users("by-identity"), { recursive: true });
    await open().check();
    assert.ok(
      !(await readdir(users(), { recursive: true })).some((name) => name.includes(".tmp-")),
    );
  });

  for (const [what, text] of [
    ["empty", ""],
    ["torn", '{"id":"bob","em'],
    ["binary", "\u0000\u0001\u0002"],
    ["of another shape", '{"id":"bob","roles":"admin"}'],
    ["of another id", JSON.stringify({ ...bob, id: "eve" })],
  ] as const) {
    it(`sets aside a record that is ${what}, and continues`, async () => {
      await open().create(ann);
      await writeFile(users("bob.json"), text);
      const store = open();
      assert.equal(await store.get("bob"), null);
      await store.check();
      assert.deepEqual(
        (await store.list({ limit: 9, offset: 0 })).map(({ id }) => id),
        ["ann"],
      );
      assert.equal(await readFile(users("bob.json.corrupt-42"), "utf8"), text);
    });
  }

  it("reads nothing outside its folder", async () => {
    await writeFile(join(folder.path, "eve.json"), JSON.stringify({ ...ann, id: "eve" }));
    for (const id of ["../eve", "..%2feve", "by-email/x", "eve\u0000"]) {
      assert.equal(await open().get(id), null);
    }
  });

  it("recovers from a process that died with the lock", async () => {
    await open().create(ann);
    await mkdir(users(".lock"));
    const updated = await open().update("ann", (found) => ({ ...found, name: "Ann" }));
    assert.equal(updated?.name, "Ann");
  });

  it("keeps the old record when the disk rejects the new one", async function () {
    if (process.getuid?.() === 0) this.skip();
    const store = open();
    await store.create(ann);
    await chmod(users(), 0o500);
    await assert.rejects(store.update("ann", (found) => ({ ...found, name: "Ann" })));
    await chmod(users(), 0o700);
    assert.deepEqual(await store.get("ann"), ann);
  });
});
