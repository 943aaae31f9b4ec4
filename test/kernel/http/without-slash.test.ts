import assert from "node:assert/strict";
import { withoutSlash } from "#kernel";
import { bootProbe } from "../../support/sites/probe-site.js";

describe("withoutSlash", () => {
  it("redirects to the address without its slash, encoded, with its original query", async () => {
    const site = await bootProbe(({ http }) => {
      http.use("pages", (req, res) => http.send(req, res, withoutSlash(req)));
    });
    const locationOf = async (path: string) => {
      const { status, headers } = await site.fetch(path);
      return [status, headers.get("location")];
    };
    assert.deepEqual(await locationOf("/flex/a/"), [301, "/flex/a"]);
    assert.deepEqual(await locationOf("/%C3%BC%20b/?q=a%26b&q=%C3%BC"), [
      301,
      "/%C3%BC%20b?q=a%26b&q=%C3%BC",
    ]);
    await site.close();
  });
});
