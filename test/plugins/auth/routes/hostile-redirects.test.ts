import assert from "node:assert/strict";
import { redirectPayloads } from "../../../support/hostile/redirect-payloads.js";
import { startOAuthStandIns } from "../../../support/servers/oauth-stand-ins.js";
import { bootAuthSite, SITE_URL } from "../../../support/sites/auth-site.js";

describe("a login with a hostile next", () => {
  it("never redirects to another site, from the login page or a provider", async function () {
    this.timeout(120_000);
    const standIns = await startOAuthStandIns();
    const site = await bootAuthSite({ providers: standIns.providers() });
    const logIn = async (next: string): Promise<Response> => {
      const visitor = site.browser();
      const start = `${SITE_URL}/auth/github${next}`;
      return visitor.go((await visitor.follow(start, `${SITE_URL}/auth/`)).url);
    };
    const payloads = redirectPayloads("evil.example");
    const browser = site.browser();
    await browser.go((await browser.follow(`${SITE_URL}/auth/github`, `${SITE_URL}/auth/`)).url);
    const staysAt = async (res: Response, payload: string): Promise<void> => {
      const location = res.headers.get("location");
      assert.ok(location !== null, `${res.status} for ${JSON.stringify(payload)}`);
      assert.equal(new URL(location, SITE_URL).origin, SITE_URL, JSON.stringify(payload));
      assert.doesNotMatch(location, /^[/\\]{2}|^\s|[\s\\]/);
    };
    // Long ones are rejected earlier, with 414 or 431. safe-next.test.ts takes all of them.
    const short = payloads.filter(({ length }) => length < 2_000);
    for (const payload of short.filter((_, at) => at % 10 === 0)) {
      const next = encodeURIComponent(payload);
      await staysAt(await browser.go(`${SITE_URL}/auth/login?next=${next}`), payload);
    }
    for (const payload of short.filter((_, at) => at % 50 === 0))
      await staysAt(await logIn(`?next=${encodeURIComponent(payload)}`), payload);
    await site.close();
    await standIns.close();
  });
});
