import assert from "node:assert/strict";
import type { Settings } from "#kernel";
import { checkPayments } from "../../../plugins/payments/settings.js";

const payments = { provider: "stripe", secret_key: "k", webhook_secret: "w", products: [] };

/** The invalid keys. */
function keys(site: Record<string, unknown>): string[] {
  // Only these two sections are read.
  const settings = { site } as unknown as Settings;
  return checkPayments(settings).map(({ key }) => key);
}

describe("settings of payments", () => {
  it("are valid without the block, and with visitor accounts", () => {
    assert.deepEqual(keys({}), []);
    assert.deepEqual(keys({ payments, auth: { mode: "dune", authzStore: "local" } }), []);
    assert.deepEqual(keys({ payments, auth: { mode: "external-jwt", authzStore: "local" } }), []);
  });

  it("require a store for roles of token users", () => {
    assert.deepEqual(keys({ payments, auth: { mode: "external-jwt" } }), ["auth.authzStore"]);
  });

  for (const [address, isWrong] of [
    ["https://api.example", false],
    ["http://127.0.0.1:9000", false],
    ["http://api.example", true],
    ["http://10.0.0.1", true],
  ] as const) {
    it(`${isWrong ? "reject" : "accept"} ${address} as address for the secret key`, () => {
      const section = { ...payments, api_url: address };
      assert.deepEqual(keys({ payments: section }), isWrong ? ["payments.api_url"] : []);
    });
  }
});
