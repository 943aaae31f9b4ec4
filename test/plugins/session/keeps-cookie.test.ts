import assert from "node:assert/strict";
import { bootSite, type TestSite } from "../../support/sites/boot-site.js";

const NOTICE = /only stay logged in over https/;
const PAGES = [
  ["of the panel", "/admin/login"],
  ["of visitors", "/auth/login"],
] as const;

for (const [whose, path] of PAGES)
  describe(`the login page ${whose}`, () => {
    let site: TestSite;
    before(async () => {
      site = await bootSite({
        files: { "content/index.md": "# Home\n" },
        env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
        settings: {
          site: {
            url: "https://www.example.org",
            auth: { providers: { github: { clientId: "a", clientSecret: "b" } } },
          },
        },
      });
    });
    after(() => site.close());

    const pageFor = async (headers: Record<string, string>): Promise<string> => {
      const { hostname, port } = new URL(site.url);
      const { request } = await import("node:http");
      return new Promise((resolve, reject) => {
        const asked = request({ hostname, port, path, headers }, (answer) => {
          let text = "";
          answer.setEncoding("utf8");
          answer.on("data", (part: string) => (text += part));
          answer.on("end", () => resolve(text));
        });
        asked.on("error", reject).end();
      });
    };

    it("says that a browser drops the cookie of a login over plain http", async () => {
      assert.match(await pageFor({ host: "intranet.lan" }), NOTICE);
    });

    const local: readonly Record<string, string>[] = [
      { host: "localhost:3000" },
      { host: "127.0.0.1:3000" },
      { host: "[::1]:3000" },
      { host: "www.example.org", "x-forwarded-proto": "https" },
    ];
    for (const headers of local) {
      it(`says nothing with ${JSON.stringify(headers)}`, async () => {
        assert.doesNotMatch(await pageFor(headers), NOTICE);
      });
    }
  });
