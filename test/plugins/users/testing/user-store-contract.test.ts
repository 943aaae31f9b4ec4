import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { User, UserStore } from "../../../../plugins/users/contract.js";
import {
  USER_STORE_RULES,
  userStoreContract,
} from "../../../../plugins/users/testing/user-store-contract.js";

interface Check {
  title: string;
  body(): Promise<void> | void;
}

/** The checks of the suite, which are not run, and what opens and closes a store for each. */
function checksFor(open: () => Promise<UserStore>): {
  checks: readonly Check[];
  failure(title: string): Promise<unknown>;
} {
  const checks: Check[] = [];
  const around: { before?: Check["body"]; after?: Check["body"] } = {};
  userStoreContract(
    { open, again: open },
    {
      it: (title, body) => void checks.push({ title, body }),
      beforeEach: (body) => void (around.before = body),
      afterEach: (body) => void (around.after = body),
    },
  );
  return {
    checks,
    failure: async (title) => {
      await around.before?.();
      try {
        await checks.find((check) => check.title === title)?.body();
        return null;
      } catch (error) {
        return error;
      } finally {
        await around.after?.();
      }
    },
  };
}

/** Stores what `change` returns, its id and creation time included. */
function credulousStore(): UserStore {
  const users = new Map<string, User>();
  const all = (): User[] => [...users.values()];
  const find = async (test: (user: User) => boolean): Promise<User | null> =>
    all().find(test) ?? null;
  return {
    create: async (user) => {
      users.set(user.id, user);
      return user;
    },
    get: (id) => find((user) => user.id === id),
    findByEmail: (email) => find((user) => user.email === email),
    findByUsername: (name) => find((user) => user.username === name),
    findByIdentity: (provider, id) =>
      find((user) => user.provider === provider && user.providerId === id),
    update: async (id, change) => {
      const user = users.get(id);
      if (user === undefined) return null;
      users.set(id, change(user));
      return users.get(id) ?? null;
    },
    delete: async (id) => {
      const user = users.get(id) ?? null;
      users.delete(id);
      return user;
    },
    list: async ({ limit, offset }) => all().slice(offset, offset + limit),
    count: async () => users.size,
  };
}

describe("userStoreContract", () => {
  const open = async (): Promise<UserStore> => credulousStore();

  it("states the rule, then the values, in the failure of a store", async () => {
    const title = "changes a record, but neither its id nor its creation time";
    const error = await checksFor(open).failure(title);
    assert.ok(error instanceof assert.AssertionError, String(error));
    for (const text of [error.message, error.stack ?? ""]) {
      const rule =
        /the rule is: `update` keeps the stored `id` and `createdAt`, whatever `change` returns/;
      assert.match(text, rule);
      assert.match(text, /createdAt: 1000/);
    }
  });

  it("has a rule for each check", () => {
    assert.deepEqual(
      checksFor(open)
        .checks.map(({ title }) => title)
        .toSorted(),
      Object.keys(USER_STORE_RULES).toSorted(),
    );
  });

  it("checks what the docs say", () => {
    const file = readFileSync("content/04.extend/10.testing/docs.md", "utf8");
    const docs = file.replaceAll(/\s+/g, " ");
    for (const rule of Object.values(USER_STORE_RULES)) assert.ok(docs.includes(rule), rule);
  });
});
