import assert from "node:assert/strict";
import { cloudflare, createCallApi } from "../../../plugins/cdn/providers.js";
import { OutboundClient } from "../../../plugins/outbound/client.js";
import { answerJson, startApi, type ApiStandIn } from "../../support/servers/api-stand-in.js";

describe("Cloudflare", () => {
  const ok = { success: true, errors: [], messages: [], result: { id: "z1" } };
  let api: ApiStandIn;
  const provider = () =>
    cloudflare(createCallApi(new OutboundClient({ denyPrivate: false }), "cloudflare"), {
      zoneId: "z1",
      apiToken: "secret-token",
      api: api.url,
    });

  beforeEach(async () => {
    api = await startApi((res) => answerJson(res, ok));
  });
  afterEach(() => api.close());

  it("receives the addresses of a batch as files, with the token", async () => {
    await provider().purge(["https://a.example/", "https://a.example/x?y=1"]);
    const [call] = api.calls;
    assert.deepEqual([call?.method, call?.url], ["POST", "/zones/z1/purge_cache"]);
    assert.equal(call?.headers.authorization, "Bearer secret-token");
    assert.deepEqual(JSON.parse(call?.body.toString() ?? ""), {
      files: ["https://a.example/", "https://a.example/x?y=1"],
    });
  });

  it("receives purge_everything for everything", async () => {
    await provider().purgeEverything();
    assert.deepEqual(JSON.parse(api.calls[0]?.body.toString() ?? ""), { purge_everything: true });
  });

  it("fails without success: true, whatever the status, and reports only the codes", async () => {
    const body = {
      success: false,
      errors: [{ code: 10000, message: "bad secret-token" }, { code: "x" }, null],
    };
    api.answer = (res) => answerJson(res, body);
    await assert.rejects(provider().purge(["https://a.example/"]), (error: Error) => {
      assert.match(error.message, /code 10000/);
      assert.doesNotMatch(error.message, /secret-token/);
      return true;
    });
  });

  for (const nonsense of [
    "<html>maintenance</html>",
    "",
    "[]",
    "null",
    '{"success":"true"}',
    "{",
  ]) {
    it(`fails when it responds 200 and ${JSON.stringify(nonsense)}`, async () => {
      api.answer = (res) => void res.writeHead(200).end(nonsense);
      await assert.rejects(provider().purge(["https://a.example/"]), { code: "ERR_CDN_REFUSED" });
    });
  }

  it("returns how long to wait", async () => {
    api.answer = (res) => void res.writeHead(429, { "Retry-After": "30" }).end("{}");
    await assert.rejects(provider().purge(["https://a.example/"]), { retryAfterMs: 30_000 });
    api.answer = (res) => void res.writeHead(429, { "Retry-After": "soon" }).end("{}");
    await assert.rejects(provider().purge(["https://a.example/"]), { retryAfterMs: null });
  });
});
