import assert from "node:assert/strict";
import {
  CodeFlow,
  type Configuration,
  type Grant,
  type OpenId,
} from "../../../../plugins/auth/engines/oauth.js";
import { ProviderCalls } from "../../../../plugins/auth/providers/provider-calls.js";
import {
  ProviderError,
  type LoginChecks,
  type Profile,
} from "../../../../plugins/auth/providers/provider.js";

const ISSUER = "https://idp.example";
const CALLBACK = "https://site.example/auth/work/callback";
// The example of RFC 7636, appendix B.
const CHECKS: LoginChecks = {
  state: "a-state",
  verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
  nonce: "a-nonce",
};
const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const back = (more = ""): URL => new URL(`${CALLBACK}?code=the-code&state=a-state${more}`);

/** A provider whose token endpoint returns the given response. */
class TestFlow extends CodeFlow {
  asked: URLSearchParams[] = [];
  answer: { status: number; body: object } = {
    status: 200,
    body: { access_token: "at", token_type: "bearer" },
  };
  read: (grant: Grant) => Promise<Profile> = async ({ tokens }) => ({
    id: tokens.access_token,
    email: null,
  });

  constructor() {
    const noCalls = new ProviderCalls({ request: () => assert.fail("no call of ours") }, []);
    super({
      slug: "work",
      label: "Work",
      clientId: "site",
      clientSecret: "canary",
      scopes: ["one", "two"],
      redirectUri: CALLBACK,
      calls: noCalls,
    });
  }

  protected async configuration(openid: OpenId): Promise<Configuration> {
    const addresses = {
      authorization_endpoint: `${ISSUER}/ask`,
      token_endpoint: `${ISSUER}/token`,
    };
    const made = new openid.Configuration({ issuer: ISSUER, ...addresses }, "site", "canary");
    made[openid.customFetch] = async (_url, { body }) => {
      this.asked.push(new URLSearchParams(String(body)));
      return Response.json(this.answer.body, { status: this.answer.status });
    };
    return made;
  }
  protected parameters({ nonce }: LoginChecks): Record<string, string> {
    return { prompt: "login", nonce };
  }
  protected profile(grant: Grant): Promise<Profile> {
    return this.read(grant);
  }
  protected nonce(): undefined {
    return undefined;
  }
}

describe("the authorization-code flow", () => {
  it("starts with state, the PKCE challenge and provider-specific parameters", async () => {
    const start = await new TestFlow().start(CHECKS);
    assert.equal(start.origin + start.pathname, `${ISSUER}/ask`);
    assert.deepEqual(Object.fromEntries(start.searchParams), {
      client_id: "site",
      redirect_uri: CALLBACK,
      response_type: "code",
      scope: "one two",
      state: "a-state",
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      prompt: "login",
      nonce: "a-nonce",
    });
  });

  it("exchanges the code and the verifier for tokens, and these for a profile", async () => {
    const flow = new TestFlow();
    assert.deepEqual(await flow.finish(back(), CHECKS), { id: "at", email: null });
    const [asked] = flow.asked;
    assert.deepEqual(
      ["code", "code_verifier", "redirect_uri"].map((name) => asked?.get(name)),
      ["the-code", CHECKS.verifier, CALLBACK],
    );
  });

  it("accepts a callback that names its own issuer only (RFC 9207)", async () => {
    const flow = new TestFlow();
    const named = (issuer: string): URL => back(`&iss=${encodeURIComponent(issuer)}`);
    assert.equal((await flow.finish(named(ISSUER), CHECKS)).id, "at");
    for (const other of [`${ISSUER}/`, "https://evil.example", ""]) {
      await assert.rejects(flow.finish(named(other), CHECKS), { fault: "code" }, other);
    }
    assert.equal(flow.asked.length, 1);
  });

  for (const error of ["invalid_grant", "bad_verification_code"]) {
    it(`blames the visitor's code for ${error}`, async () => {
      const flow = new TestFlow();
      flow.answer = { status: 400, body: { error } };
      await assert.rejects(flow.finish(back(), CHECKS), { name: "ProviderError", fault: "code" });
    });
  }

  for (const [what, answer] of [
    ["that does not know our secret", { status: 401, body: { error: "invalid_client" } }],
    ["that is broken", { status: 500, body: {} }],
    ["that gives no token", { status: 200, body: { token_type: "bearer" } }],
  ] as const) {
    it(`blames a provider ${what}`, async () => {
      const flow = new TestFlow();
      flow.answer = answer;
      await assert.rejects(flow.finish(back(), CHECKS), (error) => {
        assert.ok(error instanceof ProviderError);
        assert.equal(error.fault, "provider");
        assert.ok(error.message.length <= 300 && !error.message.includes("canary"));
        return true;
      });
    });
  }

  it("passes on provider errors of the profile, and wraps any other error", async () => {
    const flow = new TestFlow();
    const own = new ProviderError("code", "unknown user");
    flow.read = () => Promise.reject(own);
    await assert.rejects(flow.finish(back(), CHECKS), (error) => error === own);
    const cause = new Error("ECONNREFUSED");
    flow.read = () => Promise.reject(new Error("x".repeat(400), { cause }));
    await assert.rejects(flow.finish(back(), CHECKS), { fault: "provider", message: /^x{300}$/ });
    flow.read = () => Promise.reject(new Error("away", { cause }));
    await assert.rejects(flow.finish(back(), CHECKS), { message: "away (ECONNREFUSED)" });
  });
});
