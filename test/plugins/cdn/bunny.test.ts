import assert from "node:assert/strict";
import { bunny, createCallApi } from "../../../plugins/cdn/providers.js";
import { OutboundClient } from "../../../plugins/outbound/client.js";
import { startApi, type ApiStandIn } from "../../support/servers/api-stand-in.js";

describe("Bunny", () => {
  let api: ApiStandIn;
  const provider = () =>
    bunny(createCallApi(new OutboundClient({ denyPrivate: false }), "bunny"), {
      pullZoneId: "77",
      apiKey: "secret-key",
      api: api.url,
    });

  beforeEach(async () => {
    api = await startApi((res) => void res.writeHead(200).end());
  });
  afterEach(() => api.close());

  it("receives each address separately and exactly: a trailing slash must not be a prefix", async () => {
    const urls = ["https://a.example/", "https://a.example/x?y=1&z=ü"];
    await provider().purge(urls);
    const asked = api.calls.map(({ url }) => new URL(url, api.url));
    assert.deepEqual(
      asked.map(({ pathname }) => pathname),
      ["/purge", "/purge"],
    );
    assert.deepEqual(asked.map(({ searchParams }) => searchParams.get("url")).toSorted(), urls);
    assert.ok(asked.every(({ searchParams }) => searchParams.get("exactPath") === "true"));
    assert.ok(api.calls.every(({ headers }) => headers["accesskey"] === "secret-key"));
  });

  it("purges everything by pull zone", async () => {
    await provider().purgeEverything();
    assert.deepEqual(
      [api.calls[0]?.method, api.calls[0]?.url],
      ["POST", "/pullzone/77/purgeCache"],
    );
  });

  it("fails when one address of a batch fails", async () => {
    api.answer = (res, _call, nth) => void res.writeHead(nth === 3 ? 500 : 200).end();
    const urls = Array.from({ length: 6 }, (_, at) => `https://a.example/${at}`);
    await assert.rejects(provider().purge(urls), { code: "ERR_CDN_REFUSED" });
  });
});
