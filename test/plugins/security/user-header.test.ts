import assert from "node:assert/strict";
import { definePlugin } from "#kernel";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";
import { getLine, rawRequest } from "../../support/servers/raw-request.js";

const echo = definePlugin({
  name: "echo",
  version: "1.0.0",
  setup({ http }) {
    http.use("pages", (req, res) =>
      http.send(req, res, {
        type: "application/json",
        body: JSON.stringify({ headers: req.headers, raw: req.rawHeaders }),
      }),
    );
  },
});

describe("x-site-user", () => {
  let site: TestSite;
  before(async () => {
    site = await bootSite({ plugins: ["security"], extraPlugins: [echo], undeclared: true });
  });
  after(() => site.close());

  const SPELLINGS = ["x-site-user", "X-SITE-USER", "x_site_user", "X-Site_User"];
  for (const name of SPELLINGS) {
    it(`removes ${name} from a request, also when repeated`, async () => {
      const forged = `${name}: {"id":"forged"}`;
      const { body } = await rawRequest(site.url, getLine("/", [forged, forged]));
      assert.doesNotMatch(body, /forged/);
      assert.match(body, /localhost/);
    });
  }

  it("rejects the header with a space after its name", async () => {
    assert.equal((await rawRequest(site.url, getLine("/", ["x-site-user : 1"]))).status, 400);
  });
});
