import assert from "node:assert/strict";
import { rawRequest } from "../../support/servers/raw-request.js";
import { useSite } from "../../support/sites/use-site.js";

const NOTICE = /only stay logged in over https/;

describe("a login page", () => {
  const site = useSite({
    files: { "content/index.md": "# Home\n" },
    env: { SITE_ENV: "production", SITE_AUTH_SECRET: "s".repeat(40) },
    settings: {
      site: {
        url: "https://www.example.org",
        auth: { providers: { github: { clientId: "a", clientSecret: "b" } } },
      },
    },
  });
  const pageFor = async (path: string, headers: string): Promise<string> => {
    const { status, body } = await rawRequest(
      site.url,
      `GET ${path} HTTP/1.1\r\nConnection: close\r\n${headers}\r\n\r\n`,
    );
    assert.equal(status, 200);
    return body;
  };

  for (const path of ["/admin/login", "/auth/login"]) {
    it(`${path} says that a browser drops the cookie of a login over plain http`, async () => {
      assert.match(await pageFor(path, "Host: intranet.lan"), NOTICE);
    });

    it(`${path} says nothing where the browser stores the cookie`, async () => {
      for (const headers of [
        "Host: localhost:3000",
        "Host: 127.0.0.1:3000",
        "Host: [::1]:3000",
        "Host: www.example.org\r\nX-Forwarded-Proto: https",
      ]) {
        assert.doesNotMatch(await pageFor(path, headers), NOTICE, headers);
      }
    });
  }
});
