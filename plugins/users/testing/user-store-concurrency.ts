import assert from "node:assert/strict";
import type { TestRunner } from "#testing";
import type { User, UserStore } from "../contract.js";
import { testUser as user } from "./test-user.js";

/** Concurrent writers in one process. */
export function describeConcurrency(it: TestRunner["it"], store: () => UserStore): void {
  it("creates one record when many are created with one e-mail address", async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `u${n}`);
    const results = await Promise.allSettled(
      ids.map((id) => store().create({ ...user(id), email: "same@example.org" })),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(await store().count(), 1);
    assert.notEqual(await store().findByEmail("same@example.org"), null);
  });

  it("loses no concurrent update", async () => {
    await store().create(user("a"));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store().update("a", (found) => ({ ...found, roles: [...found.roles, `r${n}`] })),
      ),
    );
    assert.equal((await store().get("a"))?.roles.length, 40);
  });

  it("links an identity to only one of many concurrent accounts", async () => {
    for (const id of ["a", "b"]) await store().create(user(id));
    const link = (id: string): Promise<User | null> =>
      store().update(id, (found) => ({
        ...found,
        linkedProviders: [{ provider: "google", providerId: "g", linkedAt: 1 }],
      }));
    await Promise.allSettled(Array.from({ length: 20 }, (_, n) => link(n % 2 ? "a" : "b")));
    const holders = (await store().list({ limit: 9, offset: 0 })).filter(
      (found) => found.linkedProviders.length > 0,
    );
    assert.equal(holders.length, 1);
    assert.equal((await store().findByIdentity("google", "g"))?.id, holders[0]?.id);
  });
}

/** Concurrent writers in two processes; skipped if no second process is available. */
export function describeProcesses(
  it: TestRunner["it"],
  store: () => UserStore,
  open: (() => Promise<UserStore> | UserStore) | undefined,
): void {
  if (open === undefined) return;

  it("agrees with a second process on the same data", async () => {
    const other = await open();
    const stores = [store(), other];
    await store().create(user("a"));
    assert.equal((await other.findByEmail("a@example.org"))?.id, "a");
    const grants = Array.from({ length: 20 }, (_, n) =>
      stores[n % 2]?.update("a", (found) => ({ ...found, roles: [...found.roles, `r${n}`] })),
    );
    const creations = stores.map((one, n) =>
      one.create({ ...user(`n${n}`), email: "n@example.org" }),
    );
    const [created] = await Promise.all([Promise.allSettled(creations), ...grants]);
    assert.equal((await store().get("a"))?.roles.length, 20);
    assert.equal(created.filter(({ status }) => status === "fulfilled").length, 1);
    await other.close?.();
  });
}
