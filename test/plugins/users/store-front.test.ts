import assert from "node:assert/strict";
import { HttpError } from "#kernel";
import { throughFront } from "../../../plugins/users/store-front.js";

const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error("secret path /x"), { code });
};

describe("calls of an accounts' store", () => {
  it("answer what the store answers", async () => {
    assert.equal(await throughFront(async () => 1), 1);
  });

  it("let the store's own errors pass as they are", async () => {
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
    it(`${code} is ${status}, and says nothing of the machine`, async () => {
      await assert.rejects(throughFront(failing(code)), {
        code: "ERR_USER_STORE_DOWN",
        status,
        message: "the user store does not respond",
      });
    });
  }

  it("what is no error at all is an outage too, and so is a throw before the promise", async () => {
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
