import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import { throughFront } from "../../../plugins/users/stores.js";

const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error("secret path /x"), { code });
};

describe("calls of a user store", () => {
  it("return the store's result", async () => {
    assert.equal(await throughFront(async () => 1), 1);
  });

  it("pass the store's own errors on", async () => {
    const own = new HttpError(409, "taken", { code: "ERR_USER_EMAIL_TAKEN" });
    await assert.rejects(
      throughFront(() => Promise.reject(own)),
      (error) => error === own,
    );
  });

  for (const [code, status] of [
    ["ENOSPC", 507],
    ["EDQUOT", 507],
    ["EIO", 503],
    ["EACCES", 503],
    ["ECONNREFUSED", 503],
  ] as const) {
    it(`${code} is ${status}, without details of the machine`, async () => {
      await assert.rejects(throughFront(failing(code)), {
        code: "ERR_USER_STORE_DOWN",
        status,
        message: "the user store does not respond",
      });
    });
  }

  it("treat non-errors and synchronous throws as an outage", async () => {
    const odd = { code: "ERR_USER_STORE_DOWN", status: 503 };
    await assert.rejects(
      throughFront(() => Promise.reject("text")),
      odd,
    );
    await assert.rejects(
      throughFront(() => {
        throw new TypeError("x");
      }),
      odd,
    );
  });
});
