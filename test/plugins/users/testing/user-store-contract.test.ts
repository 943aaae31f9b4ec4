import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { UserStore } from "../../../../plugins/users/contract.js";
import {
  USER_STORE_RULES,
  userStoreContract,
} from "../../../../plugins/users/testing/user-store-contract.js";
import { store } from "../fixtures/my-user-store.js";

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

describe("userStoreContract", () => {
  /** It stores what `change` returns, its id and creation time included. */
  const open = async (): Promise<UserStore> => store;

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
    const file = readFileSync("content/06.extend/10.testing/docs.md", "utf8");
    const docs = file.replaceAll(/\s+/g, " ");
    for (const rule of Object.values(USER_STORE_RULES)) assert.ok(docs.includes(rule), rule);
  });
});
