import assert from "node:assert/strict";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LocalSessionStore } from "../../../../plugins/session/engines/local.js";
import { sessionStoreContract } from "../../../../plugins/session/testing/session-store-contract.js";
import { useFolder } from "../../../support/folder.js";

describe("session store local", () => {
  const folder = useFolder();
  const open = (): LocalSessionStore => new LocalSessionStore(join(folder.path, "sessions"));
  const id = `visitor-${"a".repeat(64)}`;
  const record = { userId: "u", kind: "visitor", data: {}, createdAt: 1, expiresAt: 2 } as const;

  sessionStoreContract({ open });

  it("creates no folder before the first session", async () => {
    const store = open();
    await store.get(id);
    await store.destroy(id);
    await store.destroyUser("u");
    await store.sweep(Date.now());
    assert.deepEqual(await readdir(folder.path), []);
  });

  it("reads no file outside its folder, for any id", async () => {
    await writeFile(join(folder.path, "secret.json"), JSON.stringify(record));
    for (const hostile of ["../secret", "..%2fsecret", "/etc/passwd", "a\0b", "", ".."]) {
      assert.equal(await open().get(hostile), null);
    }
    await open().destroy("../secret");
    assert.ok(await readFile(join(folder.path, "secret.json")));
  });

  it("ignores a truncated, empty or foreign file", async () => {
    const store = open();
    await store.set(id, record);
    for (const content of ["", "{", "\u0000\u0001", "[]"]) {
      await writeFile(join(folder.path, "sessions", `${id}.json`), content);
      const found: unknown = await store.get(id);
      assert.ok(found === null || Array.isArray(found));
    }
  });

  it("sweeps leftovers of a crash", async () => {
    const store = open();
    await store.set(id, record);
    await writeFile(join(folder.path, "sessions", ".tmp-0123"), "torn");
    await store.sweep(Date.now() + 120_000);
    assert.deepEqual((await readdir(join(folder.path, "sessions"))).sort(), ["by-user"]);
  });

  it("creates files readable by the owner only", async () => {
    const store = open();
    await store.set(id, record);
    const { mode } = await import("node:fs").then(({ statSync }) =>
      statSync(join(folder.path, "sessions", `${id}.json`)),
    );
    assert.equal(mode & 0o777, 0o600);
  });
});
