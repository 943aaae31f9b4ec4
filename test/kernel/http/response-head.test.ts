import assert from "node:assert/strict";
import { bootProbe } from "../../support/sites/probe-site.js";

describe("the head of a response", () => {
  it("has the headers of the request's block, also when a handler responds directly; existing headers win", async () => {
    const site = await bootProbe(({ http }) => {
      http.edge(
        "protect",
        (req) =>
          void (req.ctx.responseHeaders = {
            "X-Block": "block",
            "X-Own": "block",
          }),
      );
      http.use("pages", (_req, res) => res.setHeader("X-Own", "own").status(203).end("by itself"));
    });
    const { status, headers } = await site.fetch("/");
    assert.deepEqual([status, headers.get("x-block"), headers.get("x-own")], [203, "block", "own"]);
    await site.close();
  });
});
