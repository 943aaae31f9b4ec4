import assert from "node:assert/strict";
import { answerJson, startApi } from "../../support/servers/api-stand-in.js";
import { bootSite } from "../../support/sites/boot-site.js";

describe("Fastly", () => {
  it("finds its copies by the key of each response: pages, files and errors", async () => {
    const api = await startApi((res) => answerJson(res, { status: "ok" }));
    const site = await bootSite({
      files: {
        "content/01.home/default.md": "# Home\n",
        "content/02.about/default.md": "# About\n",
        "content/02.about/a.txt": "a",
      },
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
      settings: {
        site: { url: "https://www.example.org" },
        system: {
          cdn: { provider: "fastly", service_id: "S1", api_key: "secret-key", url: `${api.url}/` },
        },
      },
    });
    const cdn = site.site.use("cdn");
    await cdn.settled();
    const [first] = api.calls;
    assert.deepEqual(
      [first?.url, first?.headers["fastly-key"]],
      ["/service/S1/purge_all", "secret-key"],
    );
    const keyOf = async (path: string): Promise<string | null> =>
      (await site.fetch(path)).headers.get("surrogate-key");
    const keys = new Map<string, string | null>();
    for (const path of ["/about", "/about?x=1", "/about/a.txt", "/nowhere", "/api/nav"])
      keys.set(path, await keyOf(path));
    assert.equal(new Set(keys.values()).size, 5, "each address has its own");
    assert.equal(await keyOf("/about"), keys.get("/about"), "a cached response carries it too");
    cdn.purge([...keys.keys()]);
    await cdn.settled();
    assert.equal(api.calls[1]?.url, "/service/S1/purge");
    assert.deepEqual(JSON.parse(api.calls[1]?.body.toString() ?? ""), {
      surrogate_keys: [...keys.values()],
    });
    api.answer = (res) => void res.writeHead(200).end("<html>");
    cdn.purge(["/about"]);
    await assert.rejects(cdn.settled(), { code: "ERR_CDN_REFUSED" });
    await site.close();
    await api.close();
  });

  it("purges pages below the path of the url, with and without tracking parameters", async () => {
    const api = await startApi((res) => answerJson(res, { status: "ok" }));
    const site = await bootSite({
      files: { "content/index.md": "# Home\n", "content/about.md": "# About\n" },
      env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
      settings: {
        site: { url: "https://www.example.org/docs" },
        system: {
          cdn: { provider: "fastly", service_id: "S1", api_key: "secret-key", url: `${api.url}/` },
        },
      },
    });
    const cdn = site.site.use("cdn");
    await cdn.settled();
    const keys = new Set<string | null>();
    for (const path of ["/docs/about", "/docs/about?utm_source=a", "/about"]) {
      keys.add((await site.fetch(path)).headers.get("surrogate-key"));
    }
    cdn.purge(["/about"]);
    await cdn.settled();
    const { surrogate_keys: purged } = JSON.parse(api.calls.at(-1)?.body.toString() ?? "");
    assert.deepEqual([...keys], purged);
    await site.close();
    await api.close();
  });
});
