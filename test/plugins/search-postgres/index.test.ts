import assert from "node:assert/strict";
import { bootSite } from "../../support/sites/boot-site.js";
import { usePostgres } from "../../support/services.js";

describe("search-postgres", () => {
  const options = {
    plugins: ["content", "markdown", "search", "search-postgres"],
    files: { "content/01.home/default.md": "# Home\n\nAn apple a day." },
    settings: { system: { search: { engine: "postgres" } } },
  };

  it("replaces the engine by configuration and SITE_DB_URL", async function () {
    const { url } = await usePostgres(this);
    const site = await bootSite({ ...options, env: { SITE_ENV: "production", SITE_DB_URL: url } });
    const answer = (await (await site.fetch("/api/search?q=apple")).json()) as {
      items: { route: string; score: number }[];
    };
    assert.deepEqual(
      answer.items.map(({ route, score }) => [route, score]),
      [["/", 1]],
    );
    await site.close();
  });

  it("does not start without SITE_DB_URL, with an error", async () => {
    await assert.rejects(bootSite({ ...options, env: { SITE_ENV: "production" } }), /SITE_DB_URL/);
  });

  it("continues with 503 and a reason in its state when the server is down", async () => {
    const site = await bootSite({
      ...options,
      env: { SITE_ENV: "production", SITE_DB_URL: "postgres://unknown@127.0.0.1:9/none" },
    });
    assert.equal((await site.fetch("/api/search?q=apple")).status, 503);
    assert.equal(site.site.use("search").state().status, "failing");
    await site.close();
  });
});
