import assert from "node:assert/strict";
import type { TestRunner } from "#testing";
import type { User, UserStore } from "../contract.js";
import { testUser as user } from "./test-user.js";

/** Many writers in one process. */
export function describeConcurrency(it: TestRunner["it"], store: () => UserStore): void {
  it("F6: makes one record of many creations with one e-mail", async () => {
    const ids = Array.from({ length: 30 }, (_, n) => `u${n}`);
    const results = await Promise.allSettled(
      ids.map((id) => store().create({ ...user(id), email: "same@example.org" })),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 1);
    assert.equal(await store().count(), 1);
    assert.notEqual(await store().findByEmail("same@example.org"), null);
  });

  it("F4: loses no update of many at once", async () => {
    await store().create(user("a"));
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        store().update("a", (found) => ({ ...found, roles: [...found.roles, `r${n}`] })),
      ),
    );
    assert.equal((await store().get("a"))?.roles.length, 40);
  });

  it("A18: gives an identity to one of many who link it at once", async () => {
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

/** Writers of two processes; nothing when a second one cannot be had. */
export function describeProcesses(
  it: TestRunner["it"],
  store: () => UserStore,
  open: (() => Promise<UserStore> | UserStore) | undefined,
): void {
  if (open === undefined) return;

  it("F5: agrees with a second process on the same data", async () => {
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
    const [made] = await Promise.all([Promise.allSettled(creations), ...grants]);
    assert.equal((await store().get("a"))?.roles.length, 20);
    assert.equal(made.filter(({ status }) => status === "fulfilled").length, 1);
    await other.close?.();
  });
}
